//go:build cgo && !windows

package kernels_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// Conversions are compared with swscale's: each pair of common formats, every other format with one of
// the hubs of kerneltest, and each hub with a share of all formats, on a picture whose contrast leaves
// room for overshoot; the common ones also on one that does not (swscale clips overshoot between its
// passes).
//
// The differences: one code anywhere inside, two where 12 or more bits of RGB become 8; up to three in
// the second column and row, where swscale folds its filters over the border in its own way;
// dithering of swscale where bits are dropped, which costs PSNR; alpha of 8 bits made 16, which swscale
// shifts (opaque is then 65280) and we stretch; four codes where chroma grows fourfold.
func TestFormatAgainstFFmpeg(t *testing.T) {
	can := convertible(t)
	for n, from := range kernels.Formats() {
		var all, common []frame.PixelFormat
		for m, to := range kerneltest.Targets(from) {
			often := contains(kerneltest.Common(), from) && contains(kerneltest.Common(), to)
			if from == to || !can[from] || !can[to] || !often && (n+m)%12 != 0 {
				continue
			}
			all = append(all, to)
			if often && !testing.Short() {
				common = append(common, to)
			}
		}
		compareFormats(t, "soft", soft, from, all, softBounds)
		compareFormats(t, "hard", hard, from, common, func(_, _ frame.PixelFormat) bounds { return hardBounds })
	}
}

func contains(list []frame.PixelFormat, f frame.PixelFormat) bool { return slices.Contains(list, f) }

func softBounds(from, to frame.PixelFormat) bounds {
	d, _ := frame.Describe(from)
	switch {
	case d.Log2ChromaW == 2:
		return quarterBounds
	case contains(kerneltest.Common(), from) && contains(kerneltest.Common(), to):
		return commonBounds
	}
	return otherBounds
}

// convertible are the formats that swscale reads and writes.
func convertible(t *testing.T) map[frame.PixelFormat]bool {
	t.Helper()
	list, err := exec.Command("ffmpeg", "-v", "error", "-pix_fmts").Output()
	if err != nil {
		t.Skip("the ffmpeg program is not installed: no comparison with it")
	}
	out := map[frame.PixelFormat]bool{}
	for _, line := range strings.Split(string(list), "\n") {
		if f := strings.Fields(line); len(f) > 1 && strings.HasPrefix(line, "IO") {
			out[frame.PixelFormat(f[1])] = true
		}
	}
	return out
}

func compareFormats(t *testing.T, name, source string, from frame.PixelFormat, targets []frame.PixelFormat, b func(from, to frame.PixelFormat) bounds) {
	if len(targets) == 0 {
		return
	}
	in, raw := picture(t, source, from, 320, 180)
	got, infos, filters := make([][]byte, len(targets)), make([]frame.Info, len(targets)), make([]filtered, len(targets))
	for i, to := range targets {
		got[i], infos[i] = ours(t, in, raw, "format="+string(to), "")
		filters[i] = filtered{"scale=flags=" + exact + theirRange(infos[i]) + ",format=" + string(to), to}
	}
	theirs := ffmpegEach(t, in, raw, filters)
	for i, to := range targets {
		t.Run(name+" "+string(from)+" to "+string(to), func(t *testing.T) {
			agree(t, infos[i], got[i], theirs[i], b(from, to))
		})
	}
}

// theirRange makes FFmpeg's scale give the range that we give.
func theirRange(out frame.Info) string {
	if d, _ := frame.Describe(out.Format); out.Color.Range == "pc" && !d.RGB {
		return ":out_range=pc"
	}
	return ""
}

// Odd sizes differ no more.
func TestFormatOddSizeAgainstFFmpeg(t *testing.T) {
	for _, c := range [][2]frame.PixelFormat{
		{frame.YUV420P, frame.RGB24}, {frame.RGB24, frame.YUV420P}, {frame.YUV420P10, frame.YUV444P},
		{frame.NV12, frame.YUV422P}, {frame.YUV420P, frame.NV12},
	} {
		t.Run(string(c[0])+" to "+string(c[1]), func(t *testing.T) {
			in, raw := picture(t, soft, c[0], 321, 181)
			got, out := ours(t, in, raw, "format="+string(c[1]), "")
			theirs := ffmpeg(t, in, raw, "scale=flags="+exact+",format="+string(c[1]), c[1])
			agree(t, out, got, theirs, oddBounds)
		})
	}
}

// Known colours, by the definitions of BT.601 and BT.709 (computed by hand from H.273).
func TestKnownColours(t *testing.T) {
	cases := []struct {
		rgb    [3]byte
		matrix string
		yuv    [3]byte
	}{
		{[3]byte{255, 255, 255}, "bt709", [3]byte{235, 128, 128}},
		{[3]byte{0, 0, 0}, "bt709", [3]byte{16, 128, 128}},
		{[3]byte{128, 128, 128}, "smpte170m", [3]byte{126, 128, 128}},
		{[3]byte{255, 0, 0}, "bt709", [3]byte{63, 102, 240}},
		{[3]byte{0, 255, 0}, "bt709", [3]byte{173, 42, 26}},
		{[3]byte{0, 0, 255}, "bt709", [3]byte{32, 240, 118}},
		{[3]byte{255, 0, 0}, "smpte170m", [3]byte{81, 90, 240}},
		{[3]byte{0, 255, 0}, "smpte170m", [3]byte{145, 54, 34}},
		{[3]byte{0, 0, 255}, "smpte170m", [3]byte{41, 240, 110}},
		{[3]byte{255, 0, 0}, "bt2020nc", [3]byte{74, 97, 240}},
	}
	for _, c := range cases {
		in := frame.Info{Format: frame.RGB24, Width: 1, Height: 1}
		got, out := ours(t, in, c.rgb[:], "scale=out_color_matrix="+c.matrix+",format=yuv444p", "")
		if [3]byte(got) != c.yuv || out.Color.Matrix != c.matrix || out.Color.Range != "tv" {
			t.Errorf("%v in %s is %v (%v), want %v", c.rgb, c.matrix, got, out.Color, c.yuv)
		}
		back, rgb := ours(t, out, got, "format=rgb24", "")
		for i := range back {
			if d := int(back[i]) - int(c.rgb[i]); d < -2 || d > 2 {
				t.Errorf("%v in %s comes back as %v", c.rgb, c.matrix, back)
			}
		}
		if rgb.Color.Matrix != "gbr" || rgb.Color.Range != "pc" {
			t.Errorf("rgb24 is tagged %v", rgb.Color)
		}
	}
}
