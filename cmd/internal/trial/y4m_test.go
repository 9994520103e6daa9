package trial

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/pinring/pinring/frame"
)

// TestY4MFromFFmpeg reads what ffmpeg writes, and compares each byte with ffmpeg's rawvideo.
func TestY4MFromFFmpeg(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("no ffmpeg on this machine")
	}
	for _, format := range []frame.PixelFormat{"yuv420p", "yuv422p", "yuv444p", "gray", "yuv420p10le", "yuv422p10le", "yuv444p10le"} {
		size := "17x9" // odd: chroma is rounded up
		if strings.Contains(string(format), "10") {
			size = "18x9" // FFmpeg 5.1 writes odd widths of more than 8 bits wrong
		}
		run := func(output string) []byte {
			out, err := exec.Command(ffmpeg, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30000/1001", "-frames:v", "3", "-vf", "scale="+strings.ReplaceAll(size, "x", ":"),
				"-pix_fmt", string(format), "-strict", "-1", "-f", output, "-").Output()
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		p, err := ReadY4M(bytes.NewReader(run("yuv4mpegpipe")), "-")
		if err != nil {
			t.Fatalf("%s %s: %v", format, size, err)
		}
		if got := fmt.Sprintf("%dx%d", p.Info.Width, p.Info.Height); got != size || p.Info.Format != format || p.Info.FrameRate != (frame.Rational{Num: 30000, Den: 1001}) {
			t.Errorf("%s %s: read as %+v", format, size, p.Info)
		}
		if want := run("rawvideo"); !bytes.Equal(bytes.Join(p.Data, nil), want) || len(p.Data) != 3 {
			t.Errorf("%s %s: %d pictures differ from rawvideo", format, size, len(p.Data))
		}
	}
}

func TestY4MErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                          "no y4m header: it is empty",
		"RIFF....":                                  "no y4m header: unexpected EOF",
		"RIFF\n":                                    "this is no y4m stream",
		"YUV4MPEG2 W0 H4\n":                         "want a size",
		"YUV4MPEG2 W4 H4 F1\n":                      "want a rate",
		"YUV4MPEG2 W4 H4 C411\n":                    "C411",
		"YUV4MPEG2 W4 H4 Cmono\n":                   "it has a y4m header and no picture",
		"YUV4MPEG2 W4 H4 Cmono\nFRA\n":              "not with FRAME",
		"YUV4MPEG2 W4 H4 Cmono\nFRAME\n" + "123":    "it ends after 3 of 16 bytes",
		"YUV4MPEG2 W32768 H32768 C444\n":            "more than",
		"YUV4MPEG2 H4 Cmono\n":                      "not positive",
		"YUV4MPEG2 " + strings.Repeat("x", 5000):    "longer than",
		"YUV4MPEG2 W4 H4 Cmono\nFRAME" + "Q" + "\n": "not with FRAME",
	} {
		if _, err := ReadY4M(strings.NewReader(text), "in.y4m"); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "in.y4m: ") {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

func FuzzReadY4M(f *testing.F) {
	f.Add([]byte("YUV4MPEG2 W4 H4 F25:1 Ip A0:0 Cmono\nFRAME\n0123456789abcdef"))
	f.Add([]byte("YUV4MPEG2 W3 H3 C420p10\nFRAME I\n"))
	f.Add([]byte("YUV4MPEG2 F0:0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		// A header alone may ask for a gigabyte: that much is not read from so little.
		if len(data) > 1<<12 {
			return
		}
		p, err := ReadY4M(bytes.NewReader(data), "-")
		if err != nil {
			return
		}
		for i, picture := range p.Data {
			if len(picture) != p.Layout.Size || p.Layout.Size <= 0 {
				t.Errorf("picture %d has %d bytes of %d", i, len(picture), p.Layout.Size)
			}
		}
		if !p.Info.FrameRate.Valid() {
			t.Errorf("rate %v", p.Info.FrameRate)
		}
	})
}
