//go:build unix

// Package frametest makes pictures for tests: filled from a seed, in memory outside the Go heap,
// counted until they are released.
package frametest

import (
	"context"
	"crypto/md5"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"

	"github.com/pinring/pinring/frame"
)

// Memory allocates n bytes outside the Go heap for the length of the test.
func Memory(tb testing.TB, n int) unsafe.Pointer {
	tb.Helper()
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		tb.Fatalf("mmap of %d bytes: %v", n, err)
	}
	tb.Cleanup(func() { _ = syscall.Munmap(b) })
	return unsafe.Pointer(unsafe.SliceData(b))
}

// Place makes f a picture of info at base, laid out as l, and fills it from the seed.
func Place(f *frame.Frame, info frame.Info, base unsafe.Pointer, l frame.Layout, seed uint64) {
	f.Info = info
	f.NumPlanes = l.NumPlanes
	rng := rand.New(rand.NewPCG(seed, 1))
	for p := range l.NumPlanes {
		f.Planes[p] = frame.Plane{Data: unsafe.Add(base, l.Offset[p]), Stride: l.Stride[p], RowBytes: l.RowBytes[p], Rows: l.Rows[p]}
		for y := range l.Rows[p] {
			row := f.Planes[p].Row(y)
			for x := range row {
				row[x] = byte(rng.Uint32())
			}
		}
	}
}

// Sum is the MD5 of the picture's rows without padding, the checksum that FFmpeg's framemd5 gives.
func Sum(f *frame.Frame) (sum [md5.Size]byte) {
	h := md5.New()
	for _, p := range f.Planes[:f.NumPlanes] {
		for y := range p.Rows {
			h.Write(p.Row(y))
		}
	}
	h.Sum(sum[:0])
	return sum
}

// Source gives a fixed number of pictures of one layout from a few buffers that it uses again when
// they are released. It serves as a pipeline's source.
type Source struct {
	Info   frame.Info
	Frames int64
	Change func(n int64) frame.Info // when set, the info of frame n
	Err    error                    // returned instead of io.EOF after the last frame

	tb   testing.TB
	next int64
	out  atomic.Int64
}

// NewSource makes a source of n pictures of info.
func NewSource(tb testing.TB, info frame.Info, n int64) *Source {
	return &Source{Info: info, Frames: n, tb: tb}
}

// Next implements a pipeline's source.
func (s *Source) Next(ctx context.Context) (*frame.Frame, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.next >= s.Frames {
		if s.Err != nil {
			return nil, s.Err
		}
		return nil, io.EOF
	}
	info := s.Info
	if s.Change != nil {
		info = s.Change(s.next)
	}
	f, err := Picture(info, uint64(s.next))
	if err != nil {
		return nil, err
	}
	f.Index, f.PTS, f.Duration = s.next, 2*s.next, 2
	s.next++
	s.out.Add(1)
	f.Arm(s)
	return f, nil
}

// PutFrame implements frame.Owner.
func (s *Source) PutFrame(f *frame.Frame) {
	s.out.Add(-1)
	_ = syscall.Munmap(f.Side.([]byte))
}

// Outstanding is the number of frames given and not yet released.
func (s *Source) Outstanding() int64 { return s.out.Load() }

// Picture makes a picture of info from the seed. Its memory is unmapped by its Source's PutFrame.
func Picture(info frame.Info, seed uint64) (*frame.Frame, error) {
	l, err := frame.NewLayout(info.Format, info.Width, info.Height, 32)
	if err != nil {
		return nil, err
	}
	b, err := syscall.Mmap(-1, 0, l.Size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	f := &frame.Frame{Side: b}
	Place(f, info, unsafe.Pointer(unsafe.SliceData(b)), l, seed)
	return f, nil
}
