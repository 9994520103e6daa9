package kernels

import "github.com/pinring/pinring/frame"

// componentsOf gives the components of a format their numbers: luma, chroma, chroma, alpha, or red,
// green, blue, alpha.
func componentsOf(d *frame.Desc) (out [components]*frame.Component) {
	for i := range d.Components {
		n := i
		if d.Alpha && i == len(d.Components)-1 {
			n = alpha
		}
		out[n] = &d.Components[i]
	}
	return out
}

func grey(d *frame.Desc) bool { return len(d.Components) <= 2 }

func sampleBytes(d *frame.Desc) int { return (d.Depth() + 7) / 8 }

// whereIs tells how those of the wanted components that the format has lie.
func whereIs(d *frame.Desc, wanted ...int) where {
	w := where{Bytes: int32(sampleBytes(d)), Lanes: 1, Plane: [components]int32{-1, -1, -1, -1}}
	all := componentsOf(d)
	for _, n := range wanted {
		if c := all[n]; c != nil {
			w.Plane[n], w.Lane[n] = int32(c.Plane), int32(c.Offset/sampleBytes(d))
			w.Lanes, w.Shift = int32(c.Step/sampleBytes(d)), int32(c.Shift)
		}
	}
	return w
}

// Sets of components that share a size.
var (
	lumaSet   = []int{luma0, alpha}
	rgbSet    = []int{luma0, chromaU, chromaV, alpha}
	chromaSet = []int{chromaU, chromaV}
)

// setOf is the components that group n takes from or gives to a format.
func setOf(d *frame.Desc, n int) []int {
	switch {
	case d.RGB && n == 0:
		return rgbSet
	case d.RGB:
		return rgbSet[:alpha] // chroma is computed from all three
	case n == 0:
		return lumaSet
	}
	return chromaSet
}

// pad gives a fourth lane that no component has (rgb0) to alpha: it is filled with ones, as swscale
// does.
func (w *where) pad() {
	if w.Lanes != 4 || w.Plane[alpha] >= 0 {
		return
	}
	free := int32(0 + 1 + 2 + 3)
	for n := range alpha {
		free -= w.Lane[n]
	}
	w.Plane[alpha], w.Lane[alpha] = w.Plane[luma0], free
}
