package avtest_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinring/pinring/internal/av/avtest"
)

// TestY4MOfOddSizes: the header is FFmpeg's, and behind each mark lie the bytes of FFmpeg's raw video, as its
// demuxer reads them. Its own y4m is the same, but for odd widths of subsampled chroma with more than 8 bits, which
// FFmpeg 5.1 writes a byte a row short.
func TestY4MOfOddSizes(t *testing.T) {
	for _, c := range []struct {
		format, size string
		short        bool // FFmpeg's file is
	}{
		{"yuv420p", "33:3", false}, {"yuv422p", "321:241", false}, {"yuv411p", "33:3", false}, {"yuva444p", "33:3", false},
		{"yuv420p10le", "321:241", true}, {"yuv420p10le", "320:241", false}, {"yuv422p10le", "33:3", true}, {"yuv444p10le", "33:3", false},
		{"yuv420p9le", "33:3", true}, {"yuv422p16le", "33:3", true}, {"gray12le", "33:3", false},
	} {
		// testsrc2 itself makes even sizes only
		in := avtest.Clip(t, "in.nut", "testsrc2=size=64x64:rate=30000/1001:duration=0.1,format=yuv444p,scale="+c.size, "-c:v", "rawvideo", "-pix_fmt", c.format)
		out, _ := convert(t, in, "out.y4m", nil)
		dir := t.TempDir()
		theirs, raw, read := filepath.Join(dir, "ref.y4m"), filepath.Join(dir, "ref.raw"), filepath.Join(dir, "read.raw")
		avtest.FFmpeg(t, "-i", in, "-i", out, "-map", "0", "-fps_mode", "passthrough", "-strict", "-1", "-f", "yuv4mpegpipe", theirs,
			"-map", "0", "-fps_mode", "passthrough", "-f", "rawvideo", raw, "-map", "1", "-fps_mode", "passthrough", "-f", "rawvideo", read)
		got, want := fileBytes(t, out), fileBytes(t, theirs)
		if equal := bytes.Equal(got, want); equal == c.short {
			t.Errorf("%s %s: the same as FFmpeg's y4m: %v", c.format, c.size, equal)
		}
		if !bytes.Equal(fileBytes(t, read), fileBytes(t, raw)) {
			t.Errorf("%s %s: FFmpeg reads something else", c.format, c.size)
		}
		head, _, _ := bytes.Cut(want, []byte("\n"))
		if whole := framed(head, fileBytes(t, raw), 3); !bytes.Equal(got, whole) {
			t.Errorf("%s %s: %d bytes, of FFmpeg's raw video come %d, or others", c.format, c.size, len(got), len(whole))
		}
	}
}

// framed is raw video of n pictures as y4m.
func framed(head, raw []byte, n int) []byte {
	out := append(append([]byte(nil), head...), '\n')
	for each := len(raw) / n; len(raw) > 0; raw = raw[each:] {
		out = append(append(out, "FRAME\n"...), raw[:each]...)
	}
	return out
}

func fileBytes(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
