//go:build cgo && !windows

package kernels_test

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// unsharp gives FFmpeg's bytes in 8 bits. FFmpeg cuts the picture for its threads; with few rows its
// slices do not join, so the helper gives it one.
func TestUnsharpAgainstFFmpeg(t *testing.T) {
	for _, options := range []string{
		"", "=3:3:1.5", "=7:3:-2", "=13:13:5", "=23:3:0.7:3:21:-0.4", "=5:5:0:5:5:1.1", "=lx=9:cx=7:ca=2.3", "=la=1/3:ca=-1.99", "=3:5:5:5:3:5",
	} {
		for i, f := range []frame.PixelFormat{frame.YUV420P, frame.YUV444P} {
			in := frame.Info{Format: f, Width: 561, Height: 48 + i}
			raw, err := kerneltest.Picture(f, in.Width, in.Height, kerneltest.Extremes, 3)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := ours(t, in, raw, "unsharp"+options, "")
			if !bytes.Equal(got, ffmpeg(t, in, raw, "unsharp"+options, f)) {
				t.Errorf("unsharp%s on %s %dx%d differs from FFmpeg's", options, f, in.Width, in.Height)
			}
		}
	}
}

// In ten bits unsharp does what it does in eight: FFmpeg's bytes of the picture in 8 bits, within a
// code of rounding for each unit of amount.
func TestUnsharpTenBits(t *testing.T) {
	for _, options := range []string{"", "=13:13:2", "=3:3:-1:7:5:1"} {
		in := frame.Info{Format: frame.YUV444P, Width: 97, Height: 61}
		raw, err := kerneltest.Picture(in.Format, in.Width, in.Height, kerneltest.Noise, 3)
		if err != nil {
			t.Fatal(err)
		}
		got, out := ours(t, in, raw, "format=yuv444p10le,unsharp"+options+",format=yuv444p", "")
		agree(t, out, got, ffmpeg(t, in, raw, "unsharp"+options, in.Format), bounds{inner: 2, whole: 2, psnr: 45})
	}
}

// unsharpReference is the definition: a weighted mean over the rectangle, borders repeated, rounded
// half up; the product rounded down.
func unsharpReference(p plane, rx, ry int, amount float64, top int) plane {
	out := plane{p.w, p.h, make([]float64, len(p.v))}
	wx, wy, bits := pascal(2*rx), pascal(2*ry), 2*(rx+ry)
	for i := range p.v {
		sum := uint64(1) << (bits - 1)
		for j, cy := range wy {
			for k, cx := range wx {
				sum += cy * cx * uint64(p.at(i%p.w+k-rx, i/p.w+j-ry))
			}
		}
		s := int64(p.v[i])
		r := s + (s-int64(sum>>bits))*int64(float64(float32(amount))*65536)>>16
		out.v[i] = float64(min(max(r, 0), int64(top)))
	}
	return out
}

func pascal(n int) []uint64 {
	row := []uint64{1}
	for range n {
		next := make([]uint64, len(row)+1)
		for k, v := range row {
			next[k] += v
			next[k+1] += v
		}
		row = next
	}
	return row
}

// Any size, kernel, amount and format, on every variant of the host code.
func TestUnsharpAgainstReference(t *testing.T) {
	dev := kerneltest.NewHost()
	var progs []gpu.Program
	for _, v := range kernels.Variants() {
		p, _ := dev.Load(gpu.Module{Host: v.Kernels})
		progs = append(progs, p)
	}
	yuv := []frame.PixelFormat{frame.YUV420P, frame.NV12, frame.YUV422P, frame.YUV444P, frame.YUV420P10, frame.YUV444P10, frame.Gray}
	rapid.Check(t, func(t *rapid.T) {
		in := frame.Info{Format: rapid.SampledFrom(yuv).Draw(t, "format"),
			Width: rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(505, 530)).Draw(t, "w"), Height: rapid.IntRange(1, 30).Draw(t, "h")}
		draw := func(name string) (rx, ry int, amount float64) {
			rx = rapid.IntRange(1, 11).Draw(t, name+" rx")
			ry = rapid.IntRange(1, 12-rx).Draw(t, name+" ry")
			return rx, ry, float64(rapid.IntRange(-200, 500).Draw(t, name+" amount")) / 100
		}
		lx, ly, la := draw("luma")
		cx, cy, ca := draw("chroma")
		pattern := rapid.SampledFrom([]kerneltest.Pattern{kerneltest.Noise, kerneltest.Extremes, kerneltest.Ramp}).Draw(t, "pattern")
		raw, err := kerneltest.Picture(in.Format, in.Width, in.Height, pattern, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		d, _ := frame.Describe(in.Format)
		top := 1<<d.Depth() - 1
		want := unpack(in, raw)
		for c := range want {
			if c == 0 {
				want[c] = unsharpReference(want[c], lx, ly, la, top)
			} else {
				want[c] = unsharpReference(want[c], cx, cy, ca, top)
			}
		}
		chain := fmt.Sprintf("unsharp=%d:%d:%g:%d:%d:%g", 2*lx+1, 2*ly+1, la, 2*cx+1, 2*cy+1, ca)
		for i, p := range progs {
			got, out, err := kerneltest.Run(dev, p, chain, in, "", raw)
			if err != nil {
				t.Fatalf("%s: %v", kernels.Variants()[i].Name, err)
			}
			if w := worst(out, got, want); w != 0 {
				t.Fatalf("%s, %s: %v codes from the reference", kernels.Variants()[i].Name, chain, w)
			}
		}
	})
}
