package kernels

import "slices"

// lanes is how many horizontal outputs the widest vector code computes at once; tables are padded so
// that it may run over the end.
const lanes = 32

// resampler stores the filters of both axes. It returns the offset of their header, and whether they are
// short enough for resize.cu.
func (t *tables) resampler(h, v axis) (at int32, short bool, err error) {
	pitch := (h.dst+lanes-1)/lanes*lanes + lanes
	hf, err := h.build(pitch)
	if err != nil {
		return 0, false, err
	}
	vf, err := v.build(v.dst)
	if err != nil {
		return 0, false, err
	}
	span := int32(0)
	if s := hf.bySpan(); s != nil {
		span = t.add(s)
	}
	mode, phases, step := hf.mode(h)
	return t.add(resamplerHeader{
		HMode: mode, HPhases: phases, HStep: step, HSpan: span, HTaps: int32(hf.taps), HPitch: int32(pitch),
		HPos: t.add(hf.pos), HCoef: t.add(hf.byTap()), HRow: t.add(hf.byOutput()),
		VTaps: int32(vf.taps), VPos: t.add(vf.pos), VCoef: t.add(vf.weight),
	}), span != 0 && vf.taps > 1 && vf.taps <= shortTaps, nil
}

// shortTaps is SHORT_TAPS of params.h.
const shortTaps = 32

// byTap transposes the weights, so that those of neighbouring outputs lie side by side.
func (f *filter) byTap() []int16 {
	n := len(f.pos)
	out := make([]int16, len(f.weight))
	for i := range n {
		for k := range f.taps {
			out[k*n+i] = f.weight[i*f.taps+k]
		}
	}
	return out
}

// byOutput pads the weights of each output with zeros to whole 128-bit registers.
func (f *filter) byOutput() []int16 {
	n := (f.taps + 7) &^ 7
	out := make([]int16, len(f.pos)*n)
	for i := range f.pos {
		copy(out[i*n:], f.row(i))
	}
	return out
}

// maxPhases is MAX_PHASES of params.h.
const maxPhases = 4

// mode recognises the filters that have code of their own.
func (f *filter) mode(a axis) (mode, phases, step int32) {
	if a.identity() {
		return hSame, 0, 0
	}
	g := int(gcd(int64(a.src), int64(a.dst)))
	p, s := a.dst/g, a.src/g
	if f.taps > lanes || p > maxPhases || s > maxPhases || !f.periodic(p, s) {
		return hAny, 0, 0
	}
	return hPhases, int32(p), int32(s)
}

// periodic reports whether every output has the weights of the output period before it, step source
// samples further on.
func (f *filter) periodic(period, step int) bool {
	for i := period; i < len(f.pos); i++ {
		if f.pos[i] != f.pos[i-period]+int32(step) ||
			!slices.Equal(f.row(i), f.row(i-period)) {
			return false
		}
	}
	return true
}

func (f *filter) row(i int) []int16 { return f.weight[i*f.taps:][:f.taps] }
