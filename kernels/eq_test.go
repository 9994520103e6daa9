//go:build cgo && !windows

package kernels_test

import (
	"bytes"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// eqOptions cover each way that FFmpeg's eq can go: nothing, a line, a table, clipped values.
var eqOptions = []string{
	"", "=contrast=1.3", "=contrast=-0.7:brightness=0.1", "=brightness=-0.233", "=saturation=1.7", "=saturation=0",
	"=1.5:0.2:2.5", "=gamma=2.2", "=gamma=0.45:gamma_weight=0.4", "=gamma_r=1.4:gamma_b=0.7", "=gamma_g=1.3",
	"=contrast=7.95", "=contrast=-40", "=contrast=5000:brightness=3:saturation=9:gamma=0.01",
	"=contrast=7.8:brightness=1", "=contrast=-7.8:brightness=-1", "=contrast=2*(1-0.3)^2:brightness=-1/7",
	"=contrast=1.2:brightness=0.05:saturation=1.1:gamma=1.3:gamma_r=0.9:gamma_g=1.2:gamma_b=1.1:gamma_weight=0.8",
}

// eq gives FFmpeg's bytes, on every format that FFmpeg's eq works on.
func TestEqAgainstFFmpeg(t *testing.T) {
	for _, f := range []frame.PixelFormat{frame.YUV420P, frame.YUV422P, frame.YUV444P, frame.Gray} {
		options := eqOptions
		if f != frame.YUV420P {
			options = options[len(options)-3:]
		}
		for _, options := range options {
			in := frame.Info{Format: f, Width: 321, Height: 7} // more than each code; whole vectors and a rest
			raw, err := kerneltest.Picture(f, in.Width, in.Height, kerneltest.Noise, 3)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := ours(t, in, raw, "eq"+options, "")
			if !bytes.Equal(got, ffmpeg(t, in, raw, "eq"+options, f)) {
				t.Errorf("eq%s on %s differs from FFmpeg's", options, f)
			}
		}
	}
}

// FFmpeg has no eq for nv12: it is that of its planar twin. Full range is treated like limited range.
func TestEqOfTwins(t *testing.T) {
	for _, f := range []frame.PixelFormat{frame.NV12, frame.YUVJ420P} {
		in := frame.Info{Format: f, Width: 63, Height: 37}
		raw, err := kerneltest.Picture(f, in.Width, in.Height, kerneltest.Noise, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, options := range eqOptions {
			direct, _ := ours(t, in, raw, "eq"+options+",format=yuv420p", "")
			planar, _ := ours(t, in, raw, "format=yuv420p,eq"+options, "")
			if !bytes.Equal(direct, planar) {
				t.Errorf("eq%s of %s differs from that of yuv420p", options, f)
			}
		}
	}
}

// In ten bits the picture is that of eight bits, in finer steps: FFmpeg's bytes within 2 codes, where
// a table's slope does not multiply the difference between the depths' scales (255/256 and 1023/1024).
func TestEqTenBitsAgainstFFmpeg(t *testing.T) {
	for _, options := range []string{
		"=contrast=1.3", "=contrast=-0.7:brightness=0.1", "=saturation=1.7", "=1.5:0.2:2.5", "=gamma=1.4", "=gamma_r=1.4:gamma_b=0.7",
	} {
		in := frame.Info{Format: frame.YUV444P, Width: 97, Height: 31}
		raw, err := kerneltest.Picture(in.Format, in.Width, in.Height, kerneltest.Noise, 3)
		if err != nil {
			t.Fatal(err)
		}
		got, out := ours(t, in, raw, "format=yuv444p10le,eq"+options+",format=yuv444p", "")
		agree(t, out, got, ffmpeg(t, in, raw, "eq"+options, in.Format), bounds{inner: 2, whole: 2, psnr: 45})
	}
}

// A chain of single-sample filters is one table: the same bytes as one after the other.
func TestTonesTogether(t *testing.T) {
	for _, f := range []frame.PixelFormat{frame.YUV420P, frame.NV12, frame.YUV422P10, frame.Gray} {
		in := frame.Info{Format: f, Width: 63, Height: 37}
		raw, err := kerneltest.Picture(f, in.Width, in.Height, kerneltest.Noise, 3)
		if err != nil {
			t.Fatal(err)
		}
		chain := []string{"negate", "eq=contrast=1.5:saturation=0.8", "negate", "eq=gamma=1.8:gamma_r=1.2", "negate"}
		together, all := raw, ""
		for i, c := range chain {
			together, _ = ours(t, in, together, c, "")
			all += []string{"", ","}[min(i, 1)] + c
		}
		got, _ := ours(t, in, raw, all, "")
		if !bytes.Equal(got, together) {
			t.Errorf("%s on %s differs from its filters one by one", all, f)
		}
	}
}
