package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var foreignInputs = []struct{ format, to string }{
	{"pal8", "rgba"}, {"rgb565le", "rgb24"}, {"yuyv422", "yuv422p"}, {"rgb48be", "rgb48le"}, {"monow", "gray"},
	{"gray16be", "gray16le"}, {"rgba64be", "rgba64le"}, {"bgr8", "rgb24"}, {"yuva444p16be", "yuva444p16le"},
	{"xyz12le", "yuv444p12le"}, {"rgb555be", "rgb24"}, {"gray10be", "gray10le"}, {"gbrap12be", "gbrap12le"},
	{"uyvy422", "yuv422p"}, {"rgb4_byte", "rgb24"}, {"monob", "gray"},
}

// Formats without kernels pass where nothing is computed, and are converted, said once, where
// something is: by swscale on the host, so the result is that of ffmpeg's conversion.
func TestForeignFormats(t *testing.T) {
	for _, f := range foreignInputs {
		t.Run(f.format, func(t *testing.T) {
			input := needsFFmpeg(t, "-f", "lavfi", "-i", "testsrc2=s=70x50:r=5:d=0.6,format="+f.format, "-c:v", "rawvideo", "-pix_fmt", f.format, "in.nut")
			got, said := ourSums(t, input)
			if want := ffmpegSums(t, input); got != want || strings.Contains(said, "warning") {
				t.Errorf("as it is: %s\n%s\nwant\n%s", said, got, want)
			}
			got, said = ourSums(t, input, "-f", "hflip")
			note := fmt.Sprintf("no kernel knows pixel format %s: pictures are converted to ", f.format)
			if strings.Count(said, note) != 1 {
				t.Errorf("said %s", said)
			}
			_, to, _ := strings.Cut(said, note)
			to, _, _ = strings.Cut(to, " ")
			b, err := exec.Command("ffmpeg", "-v", "error", "-i", input, "-map", "0:v:0", "-vf",
				"scale=flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format="+to+",hflip", "-fps_mode", "passthrough", "-f", "framemd5", "-").Output()
			if err != nil {
				t.Fatal(err)
			}
			if got != md5Lines(b) || to != f.to {
				t.Errorf("converted to %s (want %s):\n%s\nwant\n%s", to, f.to, got, md5Lines(b))
			}
		})
	}
}

// Formats that swscale does not read either pass as they are; whoever wants more is told that nothing here can.
func TestFormatsThatNothingReads(t *testing.T) {
	for _, format := range []string{"uyyvyy411", "bgr4", "rgb4"} {
		raw := filepath.Join(t.TempDir(), "raw")
		if err := os.WriteFile(raw, bytes.Repeat([]byte("pixels"), 4096), 0o600); err != nil {
			t.Fatal(err)
		}
		input := needsFFmpeg(t, "-f", "rawvideo", "-pixel_format", format, "-video_size", "32x16", "-i", raw, "-c", "copy", "in.nut")
		got, said := ourSums(t, input)
		if want := ffmpegSums(t, input); got != want || strings.Contains(said, "warning") {
			t.Errorf("%s as it is: %s\n%s\nwant\n%s", format, said, got, want)
		}
		for _, args := range [][]string{{"-f", "hflip"}, {"--staging-format", "rgb24"}, {"-o", filepath.Join(t.TempDir(), "out.mkv")}} {
			var out, talk bytes.Buffer
			code := newApp(&out, &talk, rooms).main(append([]string{"run", input, "--device", "cpu"}, args...))
			if code != exitInput || !strings.Contains(talk.String(), "hint: libswscale does not read it: ") {
				t.Errorf("%s with %v: exit code %d: %s", format, args, code, &talk)
			}
		}
	}
}
