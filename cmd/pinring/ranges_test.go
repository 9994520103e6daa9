package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A file says once which range its pictures have: white stays white in it when the range of the input
// changes, or when YUV turns into RGB. The streams say their range: where one does not, FFmpeg's decoder
// takes that of the pictures before.
func TestRangesIntoAFile(t *testing.T) {
	clip := func(name string, args ...string) []byte {
		args = append([]string{"-f", "lavfi", "-i", "color=white:s=96x64:r=25:d=0.2"}, args...)
		b, err := os.ReadFile(needsFFmpeg(t, append(args, name)...))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	limited := clip("tv.h264", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-x264-params", "range=tv:colormatrix=smpte170m")
	full := clip("pc.h264", "-vf", "scale=out_range=pc", "-pix_fmt", "yuvj420p", "-c:v", "libx264", "-x264-params", "range=pc:colormatrix=smpte170m")
	rgb := clip("rgb.h264", "-c:v", "libx264rgb")
	for name, parts := range map[string][][]byte{"235": {limited, full, limited, rgb}, "255": {full, limited, full, rgb, full}} {
		input := filepath.Join(t.TempDir(), "in.h264")
		var all []byte
		for _, p := range parts {
			all = append(all, p...)
		}
		if err := os.WriteFile(input, all, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, more := range [][]string{nil, {"--emulate", "card-24g"}, {"-f", "format=yuv420p"}, {"-f", "negate,negate"}, {"-f", "scale=50:30"}} {
			out := filepath.Join(t.TempDir(), "out.mkv")
			code, r := inProcess(t, append([]string{"run", input, "--device", "cpu", "-o", out, "--vcodec", "ffv1"}, more...)...)
			if code != exitDone {
				t.Fatalf("%v: exit code %d: %+v", more, code, r.Error)
			}
			stats := output(t, "ffmpeg", "-v", "error", "-i", out, "-vf", "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-", "-f", "null", "-")
			levels := regexp.MustCompile(`YAVG=(\S+)`).FindAllStringSubmatch(stats, -1)
			if len(levels) != 5*len(parts) {
				t.Errorf("%v: %d pictures of %d", more, len(levels), 5*len(parts))
			}
			for i, l := range levels {
				if !strings.HasPrefix(l[1], name) {
					t.Errorf("%v: white of picture %d is %s, want %s", more, i, l[1], name)
				}
			}
		}
	}
}
