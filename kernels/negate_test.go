//go:build cgo && !windows

package kernels_test

import (
	"bytes"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// negate gives FFmpeg's bytes, on every format that FFmpeg's negate works on. All options are tried on
// common formats, one in turn on others.
func TestNegateAgainstFFmpeg(t *testing.T) {
	can := convertible(t)
	for n, f := range kernels.Formats() {
		if !can[f] || converted(f) {
			continue
		}
		for k, options := range negations(f) {
			if all := negations(f); n >= 10 && k != n%len(all) {
				continue
			}
			t.Run(string(f)+options, func(t *testing.T) {
				in := frame.Info{Format: f, Width: 63, Height: 37}
				raw, err := kerneltest.Picture(f, in.Width, in.Height, kerneltest.Noise, 3)
				if err != nil {
					t.Fatal(err)
				}
				got, _ := ours(t, in, raw, "negate"+options, "")
				if !bytes.Equal(got, ffmpeg(t, in, raw, "negate"+options, f)) {
					t.Error("differs from FFmpeg's")
				}
			})
		}
	}
}

// negations are options that suit a format's components.
func negations(f frame.PixelFormat) []string {
	d, _ := frame.Describe(f)
	var all []string
	switch {
	case d.RGB:
		all = []string{"", "=r", "=components=g+b"}
	case len(d.Components) <= 2:
		all = []string{"", "=y"}
	default:
		all = []string{"", "=components=y", "=u+v", "=v+y"}
	}
	if d.Alpha {
		all = append(all, "=negate_alpha=1", "=a")
	}
	return all
}

// converted reports whether FFmpeg 5.1 converts pictures of a format before it negates them.
func converted(f frame.PixelFormat) bool {
	d, _ := frame.Describe(f)
	lanes := d.Components[0].Step / ((d.Depth() + 7) / 8)
	packed := lanes > 1 && (d.Depth() > 8 || !d.RGB || lanes > len(d.Components)) // but rgb24, rgba and the like
	return d.Planes() == 2 || packed || d.Alpha && !d.RGB && d.Depth() > 8 || f == "yuvj411p"
}

// As FFmpeg's, the filter refuses components that the picture lacks.
func TestNegateRefusesMissingComponents(t *testing.T) {
	for chain, f := range map[string]frame.PixelFormat{"negate=r": frame.YUV420P, "negate=y": frame.RGB24, "negate=u": frame.Gray, "negate=a": frame.YUV444P} {
		c, err := kernels.Parse(chain)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Plan(frame.Info{Format: f, Width: 4, Height: 4}, ""); err == nil {
			t.Errorf("%s on %s is accepted", chain, f)
		}
	}
}

// Negating nv12 equals negating its planar twin.
func TestNegateNV12(t *testing.T) {
	in := frame.Info{Format: frame.NV12, Width: 63, Height: 37}
	raw, err := kerneltest.Picture(in.Format, in.Width, in.Height, kerneltest.Noise, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range []string{"", "=u", "=v+y"} {
		direct, _ := ours(t, in, raw, "negate"+options+",format=yuv420p", "")
		planar, _ := ours(t, in, raw, "format=yuv420p,negate"+options, "")
		if !bytes.Equal(direct, planar) {
			t.Errorf("negate%s of nv12 differs from that of yuv420p", options)
		}
	}
}
