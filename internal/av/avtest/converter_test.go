package avtest_test

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av/avtest"
)

// The converter's pixels are those of FFmpeg's scale filter with the same flags, and the matrix that
// we guess for an untagged picture of this size.
func TestConverterGivesFFmpegsPixels(t *testing.T) {
	for _, format := range []string{"yuv420p", "yuv444p10le", "gray"} {
		in := avtest.Clip(t, "in.mkv", "testsrc2=s=322x241:d=0.4:r=25,format="+format+"",
			"-c:v", "ffv1")
		want, err := exec.Command("ffmpeg", "-v", "error", "-i", in, "-vf",
			"scale=in_color_matrix=smpte170m:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24", "-f", "rawvideo", "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		src, err := decode.Open(context.Background(), decode.Params{Path: in, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		c := decode.Convert(src, frame.RGB24)
		got := md5.New()
		n := 0
		for {
			f, err := c.Next(context.Background())
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if f.Format != frame.RGB24 || f.Block != nil || f.Index != int64(n) || f.Color.Matrix != "gbr" {
				t.Errorf("frame %d came as %+v", n, f.Info)
			}
			for y := range f.Planes[0].Rows {
				got.Write(f.Planes[0].Row(y))
			}
			f.Release()
			n++
		}
		if fmt.Sprintf("%x", got.Sum(nil)) != fmt.Sprintf("%x", md5.Sum(want)) || n != 10 {
			t.Errorf("%s: %d frames with other pixels than FFmpeg's", format, n)
		}
		c.Close()
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}
