package av

// #include "picture.h"
import "C"

import (
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// Picture holds a reference to one decoded picture at a time: its pixels and its side data.
type Picture struct{ f *astiav.Frame }

// NewPicture allocates an empty picture.
func NewPicture() *Picture { return &Picture{f: astiav.AllocFrame()} }

// Unref drops the reference; the Picture can be used again.
func (p *Picture) Unref() { p.f.Unref() }

// Free drops the reference and the Picture itself. Idempotent.
func (p *Picture) Free() {
	if p.f != nil {
		p.f.Free()
		p.f = nil
	}
}

// DisplayMatrix is the matrix that the coded stream gives the frame, nil when there is none. That of
// the container is in Stream.
func DisplayMatrix(f *frame.Frame) *[9]int32 {
	p, ok := f.Side.(*Picture)
	if !ok || p == nil {
		return nil
	}
	var m [9]C.int32_t
	if C.pr_display_matrix(cFrame(p.f), &m[0]) == 0 {
		return nil
	}
	out := new([9]int32)
	for i := range m {
		out[i] = int32(m[i])
	}
	return out
}

// cPlanes gives a frame's planes the form that libavutil wants.
func cPlanes(f *frame.Frame) (data [4]*C.uint8_t, stride [4]C.int) {
	for i := range f.NumPlanes {
		data[i] = (*C.uint8_t)(f.Planes[i].Data)
		stride[i] = C.int(f.Planes[i].Stride)
	}
	return data, stride
}

// PackedSize is the bytes of a picture stored without any padding, as rawvideo.
func PackedSize(f *frame.Frame) int {
	n := 0
	for _, p := range f.Planes[:f.NumPlanes] {
		n += p.RowBytes * p.Rows
	}
	return n
}

// fill copies the C description of a picture into f. The caller sets Info.
func fill(f *frame.Frame, c *C.pr_picture) {
	f.PTS = int64(c.best_effort_pts)
	f.Duration = max(0, int64(c.duration))
	f.Interlaced = c.interlaced != 0
	f.FromFields = f.Interlaced
	f.TopFieldFirst = c.top_field_first != 0
	f.KeyFrame = c.key != 0
	f.Corrupt = c.corrupt != 0
	f.NumPlanes = int(c.at.planes)
	for i := range f.NumPlanes {
		f.Planes[i] = frame.Plane{Data: unsafe.Pointer(c.data[i]), Stride: int(c.at.stride[i]),
			RowBytes: int(c.at.row_bytes[i]), Rows: int(c.at.rows[i])}
	}
}
