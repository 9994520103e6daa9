//go:build cgo && !windows

package kernels_test

import (
	"fmt"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
)

// scale is compared with swscale's in every format but RGB (which swscale scales as subsampled YUV),
// shrinking and growing, both methods. The differences are those of format.
func TestScaleAgainstFFmpeg(t *testing.T) {
	sizes := [][2]int{{214, 120}, {640, 360}, {160, 90}, {200, 300}, {64, 36}}
	can := convertible(t)
	for n, f := range kernels.Formats() {
		if d, _ := frame.Describe(f); d.RGB || !can[f] {
			continue
		}
		var chains []string
		for k, s := range sizes {
			for m, method := range []string{"bicubic", "bilinear"} {
				if n < 10 || k == n%len(sizes) && m == n%2 { // the common formats come first
					chains = append(chains, fmt.Sprintf("scale=%d:%d:flags=%s", s[0], s[1], method))
				}
			}
		}
		compareScales(t, f, chains)
	}
}

func compareScales(t *testing.T, f frame.PixelFormat, chains []string) {
	in, raw := picture(t, soft, f, 320, 180)
	got, infos, filters := make([][]byte, len(chains)), make([]frame.Info, len(chains)), make([]filtered, len(chains))
	for i, chain := range chains {
		got[i], infos[i] = ours(t, in, raw, chain, "")
		filters[i] = filtered{chain + "+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact" + theirRange(infos[i]), f}
	}
	theirs := ffmpegEach(t, in, raw, filters)
	for i, chain := range chains {
		t.Run(string(f)+" "+chain, func(t *testing.T) { agree(t, infos[i], got[i], theirs[i], scaleBounds) })
	}
}

// rgb24 is scaled component by component: each gives what FFmpeg gives for it alone, as grey.
func TestScaleRGBAgainstFFmpeg(t *testing.T) {
	in, raw := picture(t, soft, frame.RGB24, 320, 180)
	got, _ := ours(t, in, raw, "scale=214:120", "")
	for c := range 3 {
		grey := frame.Info{Format: frame.Gray, Width: 320, Height: 180}
		theirs := ffmpeg(t, grey, every(raw, c, 3), "scale=214:120:flags="+exact, frame.Gray)
		grey.Width, grey.Height = 214, 120
		agree(t, grey, every(got, c, 3), theirs, scaleRGB)
	}
}

func every(b []byte, start, step int) []byte {
	var out []byte
	for i := start; i < len(b); i += step {
		out = append(out, b[i])
	}
	return out
}

// A resize and a conversion in one pass are compared with swscale doing both at once.
func TestScaleAndConvertAgainstFFmpeg(t *testing.T) {
	for _, c := range [][2]frame.PixelFormat{
		{frame.YUV420P, frame.RGB24}, {frame.NV12, frame.YUV444P10}, {frame.RGB24, frame.YUV420P}, {frame.YUV420P10, frame.NV12},
	} {
		t.Run(string(c[0])+" to "+string(c[1]), func(t *testing.T) {
			in, raw := picture(t, soft, c[0], 320, 180)
			got, out := ours(t, in, raw, "scale=214:120,format="+string(c[1]), "")
			theirs := ffmpeg(t, in, raw, "scale=214:120:flags="+exact+",format="+string(c[1]), c[1])
			agree(t, out, got, theirs, bothBounds)
		})
	}
}
