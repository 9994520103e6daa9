package avtest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pinring/pinring/internal/av/avtest"
)

// TestTimeStamps makes files whose clocks are odd in one way each, and compares what comes out with
// what FFmpeg's program makes of them.
func TestTimeStamps(t *testing.T) {
	const moving = "testsrc2=size=160x120:rate=25:duration=3"
	x264 := []string{"-c:v", "libx264", "-bf", "3", "-g", "30", "-pix_fmt", "yuv420p"}
	with := func(more ...string) []string { return append(append([]string{}, x264...), more...) }
	for _, c := range []struct {
		name string
		args []string
	}{
		{"bframes.mp4", x264},
		{"bframes.mkv", x264},
		{"bframes.avi", x264},
		{"bframes.flv", x264},
		{"bframes.h264", x264},
		{"bframes.mov", with("-movflags", "+faststart", "-use_editlist", "0")},
		{"late.mp4", with("-output_ts_offset", "7.3")},
		{"late.ts", with("-output_ts_offset", "95000", "-muxdelay", "0")}, // the 33-bit clock wraps
		{"late.mkv", with("-output_ts_offset", "100")},
		{"before0.mkv", with("-output_ts_offset", "-0.5", "-avoid_negative_ts", "disabled")},
		{"holes.mkv", with("-vf", "select='not(between(mod(n,10),3,6))'", "-fps_mode", "vfr")},
		{"ntsc.mp4", with("-vf", "fps=30000/1001")},
		{"mpeg2.ts", []string{"-c:v", "mpeg2video", "-bf", "2"}},
		{"mpeg2.mpg", []string{"-c:v", "mpeg2video", "-bf", "2"}},
		{"mpeg4.avi", []string{"-c:v", "mpeg4", "-bf", "2"}},
		{"hevc.mp4", []string{"-c:v", "libx265", "-x265-params", "log-level=none"}},
		{"ffv1.mkv", []string{"-c:v", "ffv1", "-pix_fmt", "yuv422p10le"}},
		{"palette.gif", nil},
		{"gray.mkv", []string{"-c:v", "ffv1", "-pix_fmt", "gray10le"}},
		{"png.mov", []string{"-c:v", "png", "-pix_fmt", "rgba"}},
		{"pal8.avi", []string{"-c:v", "rawvideo", "-pix_fmt", "pal8", "-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse"}},
		{"upsidedown.avi", []string{"-c:v", "rawvideo", "-pix_fmt", "bgr24"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, avtest.Clip(t, c.name, moving, c.args...))
		})
	}
}

// TestClockJumps joins two transport streams: the clock of the second begins anew.
func TestClockJumps(t *testing.T) {
	var all []byte
	for _, offset := range []string{"500", "100", "3000"} {
		f := avtest.Clip(t, "part.ts", "testsrc2=size=160x120:rate=25:duration=2", "-c:v", "libx264", "-bf", "2",
			"-output_ts_offset", offset)
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	f := filepath.Join(t.TempDir(), "joined.ts")
	if err := os.WriteFile(f, all, 0o600); err != nil {
		t.Fatal(err)
	}
	same(t, f)
}

func same(t *testing.T, file string) {
	t.Helper()
	want := avtest.FrameMD5(t, file)
	got, _ := md5Of(t, file, 2)
	if i := firstDifference(got, want); i >= 0 {
		t.Errorf("line %d: %q, want %q", i, line(got, i), line(want, i))
	}
}
