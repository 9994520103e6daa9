//go:build cgo && !windows

package kernels_test

import (
	"bytes"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// turned are chains of turns, and the sizes that they are compared at: odd, thin, one pixel.
var (
	turned = []string{"transpose", "transpose=clock", "transpose=cclock", "transpose=clock_flip", "hflip", "vflip",
		"hflip,vflip", "transpose=2,hflip", "transpose=5", "transpose=dir=1:passthrough=portrait"}
	turnedSizes = [][2]int{{63, 37}, {1, 5}, {130, 33}}
)

// The filters give FFmpeg's bytes in every format that FFmpeg turns without converting it.
func TestTurnsAgainstFFmpeg(t *testing.T) {
	can := convertible(t)
	for n, f := range kernels.Formats() {
		d, _ := frame.Describe(f)
		for k, chain := range turned {
			quarter := chain[0] == 't'
			if !can[f] || quarter && d.Log2ChromaW != d.Log2ChromaH || n >= 10 && (n+k)%6 != 0 {
				continue
			}
			s := turnedSizes[(n+k)%len(turnedSizes)]
			in := frame.Info{Format: f, Width: s[0], Height: s[1]}
			raw, err := kerneltest.Picture(f, in.Width, in.Height, kerneltest.Noise, 3)
			if err != nil {
				t.Fatal(err)
			}
			got, out := ours(t, in, raw, chain, "")
			if out.Format != f {
				t.Errorf("%s on %s gives %s", chain, f, out.Format)
			}
			if !bytes.Equal(got, ffmpeg(t, in, raw, chain, f)) {
				t.Errorf("%s on %s %dx%d differs from FFmpeg's", chain, f, in.Width, in.Height)
			}
		}
	}
}

// A quarter turn of chroma that is not as wide as high goes by way of chroma of full size, as in
// FFmpeg.
func TestTransposeSquaresChroma(t *testing.T) {
	for from, to := range map[frame.PixelFormat]frame.PixelFormat{
		"yuv422p": "yuv444p", "yuvj422p": "yuvj444p", "yuv440p": "yuv444p", "yuv411p": "yuv444p", "yuv422p10le": "yuv444p10le",
		"yuv440p12le": "yuv444p12le", "yuva422p16le": "yuva444p16le", "nv16": "nv24", "p210le": "p410le", "nv20le": "yuv444p10le",
		"yuv420p": "yuv420p", "yuv410p": "yuv410p", "rgb24": "rgb24",
	} {
		p, err := plan(t, "transpose", frame.Info{Format: from, Width: 8, Height: 6, SAR: frame.Rational{Num: 2, Den: 3}}, "")
		if err != nil {
			t.Fatal(err)
		}
		if p.Out.Format != to || p.Out.Width != 6 || p.Out.Height != 8 || p.Out.SAR != (frame.Rational{Num: 3, Den: 2}) {
			t.Errorf("%s becomes %+v, want %s", from, p.Out, to)
		}
	}
}
