package av

// #include "scaler.h"
import "C"

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/frame"
)

// Scaler converts pictures to another pixel format on the host, with libswscale. One goroutine at a
// time. The zero value is ready.
type Scaler struct{ c *C.struct_SwsContext }

// Convert writes the pixels of src into the planes of dst, which has the same size and another
// format. matrix is the name of the YUV matrix on either side.
func (s *Scaler) Convert(dst, src *frame.Frame, matrix string) error {
	m := tagsOf(frame.Color{Matrix: matrix}).matrix
	s.c = C.pr_scaler_for(s.c, C.int(src.Width), C.int(src.Height), formatOf(src.Format), formatOf(dst.Format),
		m, full(src), full(dst))
	if s.c == nil {
		return fmt.Errorf("%w %s to %s at %dx%d", ErrNotConverted, src.Format, dst.Format, src.Width, src.Height)
	}
	from, fromStride := cPlanes(src)
	to, toStride := cPlanes(dst)
	n := C.sws_scale(s.c, &from[0], &fromStride[0], 0, C.int(src.Height), &to[0], &toStride[0])
	if int(n) != src.Height {
		return fmt.Errorf("libswscale converted %d rows of %d", int(n), src.Height)
	}
	return nil
}

// ErrNotConverted is what becomes of a pair of formats that libswscale does not convert.
var ErrNotConverted = errors.New("libswscale cannot convert")

// Converts reports whether libswscale reads a pixel format.
func Converts(f frame.PixelFormat) bool { return C.sws_isSupportedInput(int32(formatOf(f))) > 0 }

// full is 1 when the codes of a picture span the full range.
func full(f *frame.Frame) C.int {
	if d, ok := frame.Describe(f.Format); ok && d.FullRangeYUV {
		return 1
	}
	d, ok := Describe(f.Format)
	grey := ok && len(d.Components) <= 2 && f.Color.Range != "tv"
	if f.Color.Range == "pc" || grey || ok && d.RGB {
		return 1
	}
	return 0
}

// Close frees the scaler, which may be used again.
func (s *Scaler) Close() {
	C.sws_freeContext(s.c)
	s.c = nil
}
