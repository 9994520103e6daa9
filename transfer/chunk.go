package transfer

import (
	"slices"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// chunk is one allocation of the driver's, cut into spans.
type chunk struct {
	mem   gpu.HostBuffer
	bytes int      // as booked
	free  []extent // in order, none empty, none touching its neighbour
}

// extent is a part of a chunk.
type extent struct{ at, bytes int }

func newChunk(mem gpu.HostBuffer, bytes int) *chunk {
	return &chunk{mem: mem, bytes: bytes, free: []extent{{0, bytes}}}
}

// idle reports whether nothing lies in the chunk.
func (c *chunk) idle() bool { return len(c.free) == 1 && c.free[0].bytes == c.bytes }

// cut takes bytes from the front of the free extent i.
func (c *chunk) cut(i, bytes int) *span {
	e := &c.free[i]
	s := &span{chunk: c, at: e.at, bytes: bytes}
	e.at += bytes
	e.bytes -= bytes
	if e.bytes == 0 {
		c.free = slices.Delete(c.free, i, i+1)
	}
	return s
}

// mend makes the span's place free again, one with what is free beside it.
func (c *chunk) mend(s *span) {
	i, _ := slices.BinarySearchFunc(c.free, s.at, func(e extent, at int) int { return e.at - at })
	c.free = slices.Insert(c.free, i, extent{s.at, s.bytes})
	if i+1 < len(c.free) && c.free[i].at+c.free[i].bytes == c.free[i+1].at {
		c.free[i].bytes += c.free[i+1].bytes
		c.free = slices.Delete(c.free, i+1, i+2)
	}
	if i > 0 && c.free[i-1].at+c.free[i-1].bytes == c.free[i].at {
		c.free[i-1].bytes += c.free[i].bytes
		c.free = slices.Delete(c.free, i, i+1)
	}
}

var _ gpu.HostBuffer = (*span)(nil)

// span is the memory of one slot: a part of a chunk, seen as a buffer of its own.
type span struct {
	chunk *chunk
	heap  *heap
	at    int
	bytes int
}

func (s *span) Addr() gpu.Addr      { return s.chunk.mem.Addr() + gpu.Addr(s.at) }
func (s *span) Bytes() int          { return s.bytes }
func (s *span) Ptr() unsafe.Pointer { return unsafe.Add(s.chunk.mem.Ptr(), s.at) }
func (s *span) Kind() gpu.HostKind  { return s.chunk.mem.Kind() }

// DeviceAddr is 0 where the chunk's is.
func (s *span) DeviceAddr() gpu.Addr {
	a := s.chunk.mem.DeviceAddr()
	if a == 0 {
		return 0
	}
	return a + gpu.Addr(s.at)
}

// Free does nothing: the arena takes spans back, and frees chunks.
func (s *span) Free() error { return nil }
