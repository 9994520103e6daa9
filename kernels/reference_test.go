//go:build cgo && !windows

package kernels_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// The reference computes in floating point, straight from the definitions, and shares nothing with
// the package: components as fractions of the scale, filters without cut-off, one rounding at the
// end. Noise and extremes are the hardest pictures; the bound is what 16-bit products and the filter
// cut-off (0.2 % of the weight at each end) may cost there.

// plane is one component in codes of its own depth.
type plane struct {
	w, h int
	v    []float64
}

func (p plane) at(x, y int) float64 {
	return p.v[min(max(y, 0), p.h-1)*p.w+min(max(x, 0), p.w-1)]
}

// unpack splits a tightly packed picture into components.
func unpack(i frame.Info, raw []byte) []plane {
	d, _ := frame.Describe(i.Format)
	l, _ := frame.NewLayout(i.Format, i.Width, i.Height, 1)
	var out []plane
	for _, c := range d.Components {
		w, h := d.PlaneSize(c.Plane, i.Width, i.Height)
		p := plane{w, h, make([]float64, w*h)}
		for k := range p.v {
			at := l.Offset[c.Plane] + k/w*l.Stride[c.Plane] + k%w*c.Step + c.Offset
			p.v[k] = float64(code(raw[at:], (d.Depth()+7)/8) >> c.Shift)
		}
		out = append(out, p)
	}
	return out
}

// cubic is the bicubic kernel with B = 0, C = 0.6, in its textbook form.
func cubic(x float64) float64 {
	const c = 0.6
	x = math.Abs(x)
	switch {
	case x < 1:
		return ((12-6*c)*x*x*x + (-18+6*c)*x*x + 6) / 6
	case x < 2:
		return (-6*c*x*x*x + 30*c*x*x - 48*c*x + 24*c) / 6
	}
	return 0
}

func (p plane) resize(w, h int) plane {
	if w != p.w {
		p = p.alongX(w)
	}
	if h != p.h {
		p = p.transpose().alongX(h).transpose()
	}
	return p
}

func (p plane) transpose() plane {
	t := plane{p.h, p.w, make([]float64, len(p.v))}
	for k := range p.v {
		t.v[k%p.w*p.h+k/p.w] = p.v[k]
	}
	return t
}

func (p plane) alongX(w int) plane {
	out := plane{w, p.h, make([]float64, w*p.h)}
	ratio := float64(p.w) / float64(w)
	scale := math.Max(1, ratio)
	for x := range w {
		centre := (float64(x)+0.5)*ratio - 0.5
		first, last := int(centre-2*scale-2), int(centre+2*scale+2)
		var taps []float64
		weight := 0.0
		for k := first; k <= last; k++ {
			taps = append(taps, cubic((float64(k)-centre)/scale))
			weight += taps[k-first]
		}
		for y := range p.h {
			sum := 0.0
			for k, c := range taps {
				sum += c * p.at(first+k, y)
			}
			out.v[y*w+x] = sum / weight
		}
	}
	return out
}

// scaleOf gives zero and unit of a component: luma 0..1, chroma -0.5..0.5.
func scaleOf(i frame.Info, component int) (zero, unit float64) {
	d, _ := frame.Describe(i.Format)
	grey := len(d.Components) <= 2
	full := d.RGB || d.FullRangeYUV || grey && i.Color.Range != "tv" || i.Color.Range == "pc" || isAlpha(d, component)
	up := float64(int(1) << (d.Depth() - 8))
	top := float64(int(1)<<d.Depth() - 1)
	chroma := component > 0 && !d.RGB && !isAlpha(d, component)
	switch {
	case full && chroma:
		return 128 * up, top
	case full:
		return 0, top
	case chroma:
		return 128 * up, 224 * up
	}
	return 16 * up, 219 * up
}

func isAlpha(d *frame.Desc, component int) bool { return d.Alpha && component == len(d.Components)-1 }

// reference converts and resizes components; alpha is one of its own, opaque where there is none.
func reference(in, out frame.Info, src []plane) []plane {
	di, _ := frame.Describe(in.Format)
	do, _ := frame.Describe(out.Format)
	for c := range src {
		zero, unit := scaleOf(in, c)
		for k, v := range src[c].v {
			src[c].v[k] = (v - zero) / unit
		}
	}
	opacity := plane{1, 1, []float64{1}}
	if di.Alpha {
		opacity, src = src[len(src)-1], src[:len(src)-1]
	}
	if !di.RGB && len(src) == 1 && len(do.Components) > 2 {
		src = append(src, plane{1, 1, []float64{0}}, plane{1, 1, []float64{0}})
	}
	if di.RGB != do.RGB && di.RGB {
		src = matrix(src, yuvOf(out.Color.Matrix))
	}
	var dst []plane
	for c, comp := range do.Components {
		if isAlpha(do, c) {
			break
		}
		w, h := do.PlaneSize(comp.Plane, out.Width, out.Height)
		dst = append(dst, src[c].resize(w, h))
	}
	if di.RGB != do.RGB && do.RGB {
		dst = matrix(dst, rgbOf(in.Color.Matrix))
	}
	if do.Alpha {
		dst = append(dst, opacity.resize(out.Width, out.Height))
	}
	for c := range dst {
		zero, unit := scaleOf(out, c)
		for k, v := range dst[c].v {
			dst[c].v[k] = v*unit + zero
		}
	}
	return dst
}

func weightsOf(name string) (kr, kb float64) {
	switch name {
	case "bt709":
		return 0.2126, 0.0722
	case "bt2020nc":
		return 0.2627, 0.0593
	}
	return 0.299, 0.114
}

func yuvOf(name string) [9]float64 {
	kr, kb := weightsOf(name)
	kg := 1 - kr - kb
	return [9]float64{kr, kg, kb, -kr / (2 - 2*kb), -kg / (2 - 2*kb), 0.5, 0.5, -kg / (2 - 2*kr), -kb / (2 - 2*kr)}
}

func rgbOf(name string) [9]float64 {
	kr, kb := weightsOf(name)
	kg := 1 - kr - kb
	return [9]float64{1, 0, 2 - 2*kr, 1, -kb * (2 - 2*kb) / kg, -kr * (2 - 2*kr) / kg, 1, 2 - 2*kb, 0}
}

func matrix(p []plane, m [9]float64) []plane {
	out := make([]plane, 3)
	for c := range out {
		out[c] = plane{p[0].w, p[0].h, make([]float64, len(p[0].v))}
		for k := range p[0].v {
			out[c].v[k] = m[3*c]*p[0].v[k] + m[3*c+1]*p[1].v[k] + m[3*c+2]*p[2].v[k]
		}
	}
	return out
}

// worst is the largest distance of a picture from the reference, in codes.
func worst(out frame.Info, got []byte, want []plane) float64 {
	d, _ := frame.Describe(out.Format)
	top := float64(int(1)<<d.Depth() - 1)
	w := 0.0
	for c, p := range unpack(out, got) {
		for k, v := range p.v {
			w = math.Max(w, math.Abs(v-math.Min(math.Max(want[c].v[k], 0), top)))
		}
	}
	return w
}

func TestAgainstReference(t *testing.T) {
	sizes := [][4]int{{61, 37, 61, 37}, {61, 37, 40, 50}, {64, 36, 32, 18}, {33, 17, 66, 34}, {1, 1, 3, 2}, {2, 5, 1, 1}, {530, 3, 1100, 4}, {200, 100, 9, 5}}
	largest := 0.0
	defer func() { t.Logf("largest distance: %.2f codes of 8 bits", largest) }()
	for n, from := range kernels.Formats() {
		for m, to := range kerneltest.Targets(from) {
			for i, s := range sizes {
				if n >= 10 && (n+m+i)%4 != 0 { // the common ones come first
					continue
				}
				pattern := []kerneltest.Pattern{kerneltest.Noise, kerneltest.Extremes}[i%2]
				in := frame.Info{Format: from, Width: s[0], Height: s[1], Color: frame.Color{Matrix: []string{"bt709", "smpte170m", "bt2020nc"}[i%3]}}
				if d, _ := frame.Describe(from); d.RGB {
					in.Color.Matrix = "gbr"
				}
				raw, err := kerneltest.Picture(from, s[0], s[1], pattern, uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%s to %s, %dx%d to %dx%d, %s", from, to, s[0], s[1], s[2], s[3], pattern)
				got, out := ours(t, in, raw, fmt.Sprintf("scale=%d:%d,format=%s", s[2], s[3], to), "")
				d, _ := frame.Describe(to)
				w := worst(out, got, reference(in, out, unpack(in, raw)))
				unit := float64(int(1) << (d.Depth() - 8))
				largest = max(largest, w/unit)
				if bound := 2 * unit; w > bound {
					t.Errorf("%s: %.2f codes from the reference (bound %.2f)", name, w, bound)
				}
			}
		}
	}
}

// Where nothing is resampled there is no cut-off to blame: the arithmetic alone errs by a code or two,
// in 16 bits, too.
func TestPrecisionWithoutResampling(t *testing.T) {
	bounds := map[int]float64{8: 1.6, 9: 1.6, 10: 1.6, 12: 2.6, 14: 1.6, 16: 3.1}
	for _, from := range kernels.Formats() {
		for _, to := range kernels.Formats() {
			di, _ := frame.Describe(from)
			do, _ := frame.Describe(to)
			if di.Log2ChromaW+di.Log2ChromaH+do.Log2ChromaW+do.Log2ChromaH > 0 {
				continue
			}
			in := frame.Info{Format: from, Width: 67, Height: 19, Color: frame.Color{Matrix: "bt709"}}
			if di.RGB {
				in.Color.Matrix = "gbr"
			}
			raw, err := kerneltest.Picture(from, in.Width, in.Height, kerneltest.Noise, 7)
			if err != nil {
				t.Fatal(err)
			}
			got, out := ours(t, in, raw, "format="+string(to), "")
			if w := worst(out, got, reference(in, out, unpack(in, raw))); w > bounds[do.Depth()] {
				t.Errorf("%s to %s: %.2f codes from the reference (bound %.2f)", from, to, w, bounds[do.Depth()])
			}
		}
	}
}
