package avtest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
)

// TestEncodersThatAreGivenUp: whenever a run fails, its encoder is closed, and its folder is as before. SVT-AV1
// waits for ever when it is closed without having been told of an end.
func TestEncodersThatAreGivenUp(t *testing.T) {
	in := smallClip(t)
	for _, codec := range []string{"libx264", "libx265", "libsvtav1", "libvpx-vp9", "ffv1", "mpeg4"} {
		for frames := range 4 {
			dir := t.TempDir()
			src, err := decode.Open(context.Background(), decode.Params{Path: in, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			sink, err := encode.Open(context.Background(), encode.Params{Output: filepath.Join(dir, "out.mkv"), VCodec: codec, Threads: 2})
			if err != nil {
				t.Fatal(codec, err)
			}
			for range frames {
				f, err := src.Next(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if err := sink.Write(context.Background(), f); err != nil {
					t.Fatal(codec, err)
				}
			}
			sink.Close()
			src.Close()
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("%s, given up after %d frames, leaves %v", codec, frames, left)
			}
		}
	}
}
