package av

// #include "borrow.h"
// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"github.com/pinring/pinring/frame"
)

// lender describes frames to C. It remembers the numbers of the last frame's names, which seldom
// change. The description is C memory: addresses of pixels in it are none of the collector's
// business, also when they have gone stale.
type lender struct {
	c     *C.pr_lent
	info  frame.Info
	valid bool
}

func newLender() *lender { return &lender{c: (*C.pr_lent)(C.calloc(1, C.sizeof_pr_lent))} }

func (l *lender) free() {
	C.free(unsafe.Pointer(l.c))
	l.c = nil
}

// describe fills the C description, which is valid until the next call.
func (l *lender) describe(f *frame.Frame, pts int64) *C.pr_lent {
	c := l.c
	if !l.valid || f.Format != l.info.Format || f.Color != l.info.Color {
		t := tagsOf(f.Color)
		c.format = formatOf(f.Format)
		c.color_range, c.matrix, c.primaries = t.rng, t.matrix, t.primaries
		c.transfer, c.chroma = t.transfer, t.chroma
		l.valid = true
	}
	l.info = f.Info
	c.width, c.height = C.int(f.Width), C.int(f.Height)
	c.sar = cRational(f.SAR)
	if !f.SAR.Valid() {
		c.sar = C.AVRational{num: 0, den: 1}
	}
	c.pts = C.int64_t(pts)
	c.interlaced, c.top_field_first = boolInt(f.Interlaced), boolInt(f.TopFieldFirst)
	c.data, c.stride = cPlanes(f)
	for i := range c.rows {
		c.rows[i] = C.int(f.Planes[i].Rows)
	}
	return c
}

func boolInt(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
