package kernels

import (
	"fmt"
	"math"
)

// method is a way to interpolate.
type method int

const (
	bicubic method = iota
	bilinear
)

// maxTaps bounds the filter length that the kernels have room for: bicubic shrinks by up to 255.
const maxTaps = 1024

// cutoff is the share of a filter's weight that may be left out at each of its ends, as in swscale.
const cutoff = 0.002

// one is the sum of a filter's weights.
const one = 1 << 15

// axis says how a row or column of samples maps to another. Output sample i lies at source position
// (i+0.5)*src/dst - 0.5: planes are aligned by their edges. As in swscale that goes for chroma planes
// too, so that in pictures of odd size, where chroma sizes are rounded up, colour is stretched over
// the last column or row.
type axis struct {
	src, dst int // samples
	method   method
}

func (a axis) identity() bool { return a.src == a.dst }

// filter is an axis with its weights. Output i is the sum of weight[i*taps+k] * source[pos[i]+k];
// positions ascend and may lie outside the source, whose border samples repeat.
type filter struct {
	taps   int
	pos    []int32
	weight []int16 // Q15
}

// kernel is the continuous interpolation function; d >= 0.
//
// Bicubic is Mitchell and Netravali's family ("Reconstruction filters in computer graphics", 1988)
// with B = 0, C = 0.6, which are swscale's defaults.
func (m method) kernel(d float64) float64 {
	if m == bilinear {
		return math.Max(0, 1-d)
	}
	const c = 0.6
	switch {
	case d < 1:
		return 1 + d*d*((2-c)*d-(3-c))
	case d < 2:
		return c * (4 + d*(d*(5-d)-8))
	}
	return 0
}

// support is how far the kernel reaches.
func (m method) support() float64 {
	if m == bilinear {
		return 1
	}
	return 2
}

// build computes the filter for n >= dst outputs (the surplus pads vector code).
func (a axis) build(n int) (filter, error) {
	if a.identity() {
		return identityFilter(n), nil
	}
	rows := make([][]float64, n)
	f := filter{pos: make([]int32, n)}
	for i := range n {
		rows[i], f.pos[i] = a.row(i)
	}
	f.align(rows)
	if f.taps > maxTaps {
		return filter{}, fmt.Errorf("%d to %d samples needs a filter of %d taps, %d are possible: scale in two steps",
			a.src, a.dst, f.taps, maxTaps)
	}
	f.weight = make([]int16, n*f.taps)
	for i, r := range rows {
		quantise(f.weight[i*f.taps:][:f.taps], r)
	}
	return f, nil
}

func identityFilter(n int) filter {
	f := filter{taps: 1, pos: make([]int32, n), weight: make([]int16, n)}
	for i := range f.pos {
		f.pos[i], f.weight[i] = int32(i), math.MaxInt16
	}
	return f
}

// row gives the weights of output i, normalised and trimmed, and the position of the first. The
// position is split into whole and fraction in integers, so that equal phases have equal weights.
func (a axis) row(i int) ([]float64, int32) {
	n := (2*i+1)*a.src - a.dst // centre in units of 1/(2*dst)
	whole := int(math.Floor(float64(n) / float64(2*a.dst)))
	fraction := float64(n-whole*2*a.dst) / float64(2*a.dst)
	scale := math.Max(1, float64(a.src)/float64(a.dst))
	reach := int(math.Ceil(a.method.support() * scale))
	w := make([]float64, 0, 2*reach+1)
	sum := 0.0
	for k := -reach; k <= reach; k++ {
		v := a.method.kernel(math.Abs(float64(k)-fraction) / scale)
		w = append(w, v)
		sum += v
	}
	for k := range w {
		w[k] /= sum
	}
	w, skipped := trim(w)
	return w, int32(whole - reach + skipped)
}

// trim drops weights from both ends while those dropped add up to no more than the cutoff, and
// scales the rest to sum 1.
func trim(w []float64) ([]float64, int) {
	lo, hi := 0, len(w)
	for cut := math.Abs(w[0]); cut <= cutoff; cut += math.Abs(w[lo]) {
		lo++
	}
	for cut := math.Abs(w[hi-1]); cut <= cutoff; cut += math.Abs(w[hi-1]) {
		hi--
	}
	w = w[lo:hi]
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	for i := range w {
		w[i] /= sum
	}
	return w, lo
}

// align makes the positions ascend and all rows equally long, an even number of taps.
func (f *filter) align(rows [][]float64) {
	for i := len(rows) - 2; i >= 0; i-- {
		if d := int(f.pos[i] - f.pos[i+1]); d > 0 {
			rows[i] = append(make([]float64, d), rows[i]...)
			f.pos[i] = f.pos[i+1]
		}
	}
	for _, r := range rows {
		f.taps = max(f.taps, (len(r)+1)&^1)
	}
}

// quantise rounds weights to Q15 so that their sum stays exact: each rounding error is carried to
// the next weight. The one weight that does not fit, 1.0, is stored as 32767/32768, which in rounded
// products gives the same results for samples within range.
func quantise(dst []int16, w []float64) {
	carry := 0.0
	for k, v := range w {
		exact := float64(v*one) + carry
		q := math.Round(exact)
		carry = exact - q
		dst[k] = int16(min(q, math.MaxInt16))
	}
}
