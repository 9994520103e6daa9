package trial

import (
	"context"
	"errors"
	"io"
	"sync"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

var _ pipeline.Source = (*source)(nil)

// source writes the pictures into lent slots, as a decoder does, and into memory of its own where it
// has none: in the modes that allocate for each frame. Next belongs to one goroutine; frames are
// released from any.
type source struct {
	pictures *Pictures
	staging  *transfer.Staging
	dev      gpu.Device
	total    int64
	next     int64

	mu     sync.Mutex
	lent   []*frame.Block // free ones
	all    []*frame.Block
	own    []*frame.Block // free ones of our own
	made   []gpu.HostBuffer
	frames []*frame.Frame // to be used again
}

// newSource asks for n slots.
func newSource(p *Pictures, s *transfer.Staging, dev gpu.Device, n int, total int64) (*source, error) {
	src := &source{pictures: p, staging: s, dev: dev, total: total}
	return src, s.Lend(p.Layout, n, func(b *frame.Block) {
		src.mu.Lock()
		defer src.mu.Unlock()
		src.lent, src.all = append(src.lent, b), append(src.all, b)
	})
}

// Next implements pipeline.Source.
func (s *source) Next(ctx context.Context) (*frame.Frame, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.next >= s.total {
		return nil, io.EOF
	}
	b, own, err := s.block()
	if err != nil {
		return nil, err
	}
	copy(unsafe.Slice((*byte)(b.Base), s.pictures.Layout.Size), s.pictures.Data[s.next%int64(len(s.pictures.Data))])
	f := s.frame(b, own)
	s.next++
	return f, nil
}

// block is memory to write into: a lent slot, or else own memory.
func (s *source) block() (b *frame.Block, own bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := take(&s.lent); b != nil {
		return b, false, nil
	}
	if b := take(&s.own); b != nil {
		return b, true, nil
	}
	buffer, err := s.dev.AllocHost(s.pictures.Layout.Size, gpu.Pageable)
	if err != nil {
		return nil, false, err
	}
	s.made = append(s.made, buffer)
	return &frame.Block{Base: buffer.Ptr(), Size: buffer.Bytes()}, true, nil
}

func take(free *[]*frame.Block) *frame.Block {
	n := len(*free)
	if n == 0 {
		return nil
	}
	b := (*free)[n-1]
	*free = (*free)[:n-1]
	return b
}

func (s *source) frame(b *frame.Block, own bool) *frame.Frame {
	f := s.spare()
	l := &s.pictures.Layout
	f.Info = s.pictures.Info
	f.Meta = frame.Meta{Index: s.next, PTS: s.next, Duration: 1, KeyFrame: true}
	f.NumPlanes = l.NumPlanes
	for p := range l.NumPlanes {
		f.Planes[p] = frame.Plane{Data: unsafe.Add(b.Base, l.Offset[p]), Stride: l.Stride[p], RowBytes: l.RowBytes[p], Rows: l.Rows[p]}
	}
	f.Block, f.Side = b, nil
	if own {
		f.Block, f.Side = nil, b // it is no slot; Side brings it home
	}
	f.Arm(s)
	return f
}

func (s *source) spare() *frame.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.frames); n > 0 {
		f := s.frames[n-1]
		s.frames = s.frames[:n-1]
		return f
	}
	return new(frame.Frame)
}

// PutFrame implements frame.Owner.
func (s *source) PutFrame(f *frame.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Block != nil {
		s.lent = append(s.lent, f.Block)
	} else {
		s.own = append(s.own, f.Side.(*frame.Block))
	}
	s.frames = append(s.frames, f)
}

// Close gives slots and memory back. No frame may be in use.
func (s *source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.all {
		s.staging.Return(b)
	}
	s.all, s.lent = nil, nil
	var errs []error
	for _, b := range s.made {
		errs = append(errs, b.Free())
	}
	s.made, s.own = nil, nil
	return errors.Join(errs...)
}

// nowhere takes frames and drops them.
type nowhere struct{}

var _ pipeline.Sink = nowhere{}

func (nowhere) Format(f frame.PixelFormat) frame.PixelFormat { return f }
func (nowhere) FollowsSize() bool                            { return true }
func (nowhere) MaxHeld() int                                 { return 0 }
func (nowhere) Partial()                                     {}
func (nowhere) Finish(context.Context) error                 { return nil }
func (nowhere) Write(_ context.Context, f *frame.Frame) error {
	f.Release()
	return nil
}
