package transfer

import (
	"context"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// stageBanded keeps the frame until UploadBands has copied it away.
func (s *Staging) stageBanded(f *frame.Frame) Staged {
	stride, offset, size := copyLayout(f)
	st := Staged{src: f, banded: true, bytes: size, shape: shapeOf(f)}
	for p := range f.NumPlanes {
		st.pic.Addr[p], st.pic.Stride[p] = gpu.Addr(offset[p]), stride[p]
	}
	s.copied.Add(1)
	s.bandedUp.Add(1)
	return st
}

// Banded reports whether the picture goes up in bands: by [Staging.UploadBands], not by Record.
func (st *Staged) Banded() bool { return st.banded }

// UploadBands copies a picture that goes up in bands to device memory at dev, Bytes long, on the
// stream, with a mark before the first copy, and returns where the planes are for kernels. It returns
// when the last band is on its way; the frame is released then, on error too. It belongs to the
// goroutine that calls Stage. After an error copies into dev may be under way until the stream is
// synchronized.
func (s *Staging) UploadBands(ctx context.Context, stream gpu.Stream, st *Staged, dev gpu.Addr, mark gpu.Event) (Picture, error) {
	up := uploader{bands: s.upBands, ctx: ctx, stream: stream, mark: mark}
	out := st.pic
	var err error
	for p := 0; p < st.shape.NumPlanes && err == nil; p++ {
		out.Addr[p] += dev
		err = up.plane(st.src.Planes[p], out.Addr[p], out.Stride[p])
	}
	st.src.Release()
	st.src = nil
	return out, err
}

// uploader takes one picture up.
type uploader struct {
	*bands
	ctx    context.Context
	stream gpu.Stream
	mark   gpu.Event // to be recorded before the next copy, nil when it was
}

// plane sends as many rows at a time as a slot holds, or a row in parts where it holds none.
func (u *uploader) plane(p frame.Plane, dst gpu.Addr, stride int) error {
	rows := u.bytes / stride
	for y := 0; y < p.Rows; y += max(rows, 1) {
		band := p
		band.Data = unsafe.Add(p.Data, y*p.Stride)
		band.Rows = min(max(rows, 1), p.Rows-y)
		at := dst + gpu.Addr(y*stride)
		if err := u.band(band, at, stride, rows == 0); err != nil {
			return err
		}
	}
	return nil
}

func (u *uploader) band(p frame.Plane, dst gpu.Addr, stride int, parts bool) error {
	if !parts {
		return u.send(p, dst, stride)
	}
	for x := 0; x < p.RowBytes; x += u.bytes {
		part := frame.Plane{Data: unsafe.Add(p.Data, x), Stride: p.Stride, RowBytes: min(u.bytes, p.RowBytes-x), Rows: 1}
		if err := u.send(part, dst+gpu.Addr(x), stride); err != nil {
			return err
		}
	}
	return nil
}

// send fills a slot with the rows and copies it up.
func (u *uploader) send(p frame.Plane, dst gpu.Addr, stride int) error {
	g := u.turn()
	if err := g.wait(u.ctx); err != nil {
		return err
	}
	copyPlane(g.block.Base, stride, p)
	g.cmds.Reset()
	if u.mark != nil {
		g.cmds.Record(u.mark)
		u.mark = nil
	}
	g.cmds.Copy(gpu.OpCopyH2D, dst, buffer(g.block).Addr(), stride*(p.Rows-1)+p.RowBytes)
	return u.submit(u.stream, g)
}
