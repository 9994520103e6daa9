package avtest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// sums are the checksums of a file's pictures.
func sums(lines []string) (out []string) {
	for _, l := range lines {
		if f := strings.Split(l, ","); len(f) == 6 && !strings.HasPrefix(l, "#") {
			out = append(out, strings.TrimSpace(f[5]))
		}
	}
	return out
}

// roundTrip encodes without loss, in each way that takes the file's format, and compares pictures and
// time stamps with those of FFmpeg's decoder.
func roundTrip(t *testing.T, in string, codecs ...string) {
	t.Helper()
	want, clock := sums(avtest.FrameMD5(t, in)), times(t, in)
	for _, codec := range codecs {
		out, _ := convert(t, in, map[string]string{"ffv1": "out.mkv", "libx264": "out.mp4"}[codec], func(p *encode.Params) {
			p.VCodec, p.Preset, p.Streams, p.Upright = codec, "", nil, true
			if codec == "libx264" {
				p.Preset, p.Opts = "ultrafast", map[string]string{"qp": "0"}
			}
		})
		if got := sums(avtest.FrameMD5(t, out)); !slices.Equal(got, want) {
			t.Errorf("%s: %d pictures, want %d, or other pixels", codec, len(got), len(want))
		}
		got := times(t, out)
		from := make([]float64, len(clock))
		for i := range clock {
			from[i] = clock[i] - clock[0] + got[0]
		}
		tolerance := 0.000_02
		if codec == "ffv1" { // Matroska's milliseconds, at both ends
			tolerance = 0.001
		}
		if !equalTimes(got, from, tolerance) {
			t.Errorf("%s: time stamps differ:\n got %v\nwant %v", codec, got, from)
		}
	}
}

func TestLosslessRealFiles(t *testing.T) {
	dir := avtest.Media(t)
	for name, codecs := range map[string][]string{
		"h264_444_odd_321x241.mp4":              {"ffv1", "libx264"},
		"h264_avchd_1080i.mts":                  {"ffv1"},
		"h264_hi10_200x200.mp4":                 {"ffv1", "libx264"},
		"h264_rot90_480x270.mp4":                {"ffv1", "libx264"},
		"h264_discard_first_keyframe_64x64.mp4": {"ffv1", "libx264"},
		"hevc_iphone_live_rotm90_data.mov":      {"ffv1", "libx264"},
		"hevc_main10_hlg_848x464.mkv":           {"ffv1"},
		"vp9_10bit_odd_321x241.mp4":             {"ffv1"},
		"mpeg2_odd_121x81.mp4":                  {"ffv1"},
		"av1_444_320x240.ivf":                   {"ffv1", "libx264"},
		"flv1_268x156.flv":                      {"ffv1", "libx264"},
		"h264_cursed_vfr_3026x1386.mp4":         {"libx264"},
	} {
		t.Run(name, func(t *testing.T) {
			roundTrip(t, filepath.Join(dir, name), codecs...)
		})
	}
}

func TestLosslessGenerated(t *testing.T) {
	for _, c := range []struct {
		source string
		codecs []string
	}{
		{"testsrc2=size=322x242:rate=30000/1001:duration=1", []string{"ffv1", "libx264"}},
		{"testsrc2=size=161x121:rate=25:duration=0.4,format=yuv444p10le", []string{"ffv1", "libx264"}},
		{"testsrc2=size=64x48:rate=50:duration=0.4,format=gray", []string{"ffv1"}},
		{"testsrc2=size=64x48:rate=50:duration=0.4,format=yuv422p12le", []string{"ffv1"}},
		{"testsrc2=size=64x48:rate=25:duration=1,select='not(between(mod(n\\,10)\\,3\\,6))'", []string{"ffv1", "libx264"}},
	} {
		t.Run(c.source, func(t *testing.T) {
			in := avtest.Clip(t, "in.mkv", c.source, "-fps_mode", "passthrough", "-c:v", "ffv1")
			roundTrip(t, in, c.codecs...)
		})
	}
}
