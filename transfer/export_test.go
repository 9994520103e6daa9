package transfer

import (
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// View is a picture that was staged for a copy, as a frame that nobody owns.
func (st *Staged) View() *frame.Frame {
	f := &frame.Frame{NumPlanes: st.shape.NumPlanes}
	for p := range st.shape.NumPlanes {
		f.Planes[p] = frame.Plane{
			Data:     unsafe.Add(st.base, int(st.pic.Addr[p]-gpu.Addr(uintptr(st.base)))),
			Stride:   st.pic.Stride[p],
			RowBytes: st.shape.RowBytes[p],
			Rows:     st.shape.Rows[p],
		}
	}
	return f
}
