package bench

import (
	"context"
	"io"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/transfer"
)

// still gives views of a few pictures that never change, as a decoder that costs nothing would. They lie
// in slots that the staging lends, or in memory of their own where it lends none.
type still struct {
	staging *transfer.Staging
	layout  frame.Layout
	info    frame.Info
	blocks  []*frame.Block
	lent    bool
	own     [][]byte
	next    int
	total   int
	spare   chan *frame.Frame
}

func newStill(st *transfer.Staging, l frame.Layout, info frame.Info, n, total int) (*still, error) {
	s := &still{staging: st, layout: l, info: info, total: total, spare: make(chan *frame.Frame, 256)}
	s.info.TimeBase, s.info.FrameRate = frame.Rational{Num: 1, Den: 30}, frame.Rational{Num: 30, Den: 1}
	if err := st.Lend(l, n, func(b *frame.Block) { s.blocks = append(s.blocks, b) }); err != nil {
		return nil, err
	}
	s.lent = len(s.blocks) > 0
	for i, b := range s.blocks {
		paint(unsafe.Slice((*byte)(b.Base), b.Size), i)
	}
	return s, nil
}

// paint writes something that is not the same everywhere.
func paint(b []byte, seed int) {
	for i := range b {
		b[i] = byte(i*7 + i>>11 + seed*31)
	}
}

func (s *still) Next(ctx context.Context) (*frame.Frame, error) {
	if s.next >= s.total {
		return nil, io.EOF
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := s.frame()
	f.Info = s.info
	f.Meta = frame.Meta{Index: int64(s.next), PTS: int64(s.next), Duration: 1}
	s.place(f)
	s.next++
	f.Arm(s)
	return f, nil
}

func (s *still) frame() *frame.Frame {
	select {
	case f := <-s.spare:
		return f
	default:
		return new(frame.Frame)
	}
}

// place puts the planes into the next picture.
func (s *still) place(f *frame.Frame) {
	base := s.base(s.next, &f.Block)
	f.NumPlanes = s.layout.NumPlanes
	for p := range f.NumPlanes {
		f.Planes[p] = frame.Plane{Data: unsafe.Add(base, s.layout.Offset[p]), Stride: s.layout.Stride[p],
			RowBytes: s.layout.RowBytes[p], Rows: s.layout.Rows[p]}
	}
}

func (s *still) base(i int, block **frame.Block) unsafe.Pointer {
	if s.lent {
		*block = s.blocks[i%len(s.blocks)]
		return (*block).Base
	}
	*block = nil
	if len(s.own) == 0 {
		s.own = append(s.own, make([]byte, s.layout.Size))
		paint(s.own[0], 0)
	}
	return unsafe.Pointer(unsafe.SliceData(s.own[0]))
}

// PutFrame implements frame.Owner.
func (s *still) PutFrame(f *frame.Frame) {
	select {
	case s.spare <- f:
	default:
	}
}

// close gives the slots back.
func (s *still) close() {
	for _, b := range s.blocks {
		s.staging.Return(b)
	}
	s.blocks = nil
}
