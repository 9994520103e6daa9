package pipeline

import (
	"fmt"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
)

// sameShape reports whether a file whose first picture was like b can hold a after it.
func sameShape(a, b frame.Info) bool {
	return a.Format == b.Format && a.Width == b.Width && a.Height == b.Height && sameRange(a, b)
}

func sameRange(a, b frame.Info) bool { return kernels.FullRange(a) == kernels.FullRange(b) }

// conforming is the chain that makes pictures like out those that a file of pictures like first holds:
// of its size, and of its range, since the file says only once which that is. Its format is the sink's
// part.
func conforming(out, first frame.Info) string {
	scale := fmt.Sprintf("scale=%d:%d", first.Width, first.Height)
	d, _ := frame.Describe(first.Format)
	o, _ := frame.Describe(out.Format)
	full := kernels.FullRange(out) && o != nil && !o.RGB // from RGB comes limited range
	if d == nil || d.RGB || full == kernels.FullRange(first) {
		return scale
	}
	name := "tv"
	if kernels.FullRange(first) {
		name = "pc"
	}
	return fmt.Sprintf("format=%s,%s:out_range=%s", kernels.PlainFormat(first.Format), scale, name)
}
