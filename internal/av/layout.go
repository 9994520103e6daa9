package av

// #include "layout.h"
import "C"

import (
	"fmt"

	"github.com/pinring/pinring/frame"
)

// Layout lays out a picture in any pixel format that libavutil describes, rows and planes aligned
// to align bytes (a power of two; 1 packs them). A palette is a plane of its own.
func Layout(format frame.PixelFormat, w, h, align int) (frame.Layout, error) {
	var l C.pr_layout
	op := fmt.Sprintf("lay out %s %dx%d", format, w, h)
	if err := fail(op, int(C.pr_layout_aligned(formatOf(format), C.int(w), C.int(h), C.int(align), &l))); err != nil {
		return frame.Layout{}, err
	}
	return layoutFromC(&l, format), nil
}

func layoutFromC(l *C.pr_layout, format frame.PixelFormat) frame.Layout {
	out := frame.Layout{
		Format: format, Width: int(l.width), Height: int(l.height),
		NumPlanes: int(l.planes), Size: int(l.size),
	}
	for p := range out.NumPlanes {
		out.Offset[p] = int(l.offset[p])
		out.Stride[p] = int(l.stride[p])
		out.RowBytes[p] = int(l.row_bytes[p])
		out.Rows[p] = int(l.rows[p])
	}
	return out
}
