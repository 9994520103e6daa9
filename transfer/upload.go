package transfer

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// Picture says where the device finds the planes of a picture. It has the shape of kernels.Image.
type Picture struct {
	Addr   [frame.MaxPlanes]gpu.Addr
	Stride [frame.MaxPlanes]int
}

// Staged is a picture in memory that the device can copy from (or, if Unified, read in place).
type Staged struct {
	src   *frame.Frame   // held until Done, nil once the pixels have been copied away
	slot  *Slot          // of the copy ring, nil for a picture that is used where it lies
	base  unsafe.Pointer // first byte of the range that holds all planes
	bytes int            // its length
	host  gpu.Addr       // base as the device's copies address it
	pic   Picture        // the planes, as addresses within the host range
	shape frame.Layout   // NumPlanes, RowBytes and Rows of the picture

	banded bool // src is copied by UploadBands; the planes in pic are offsets
}

// Shape has the picture's NumPlanes, RowBytes and Rows, and nothing else.
func (st *Staged) Shape() frame.Layout { return st.shape }

// Copied reports whether the pixels were copied into a slot of the copy ring.
func (st *Staged) Copied() bool { return st.slot != nil || st.banded }

// Bytes is the size of the device buffer that Record needs; 0 on a Unified device.
func (st *Staged) Bytes() int { return st.bytes }

// Stage takes ownership of the frame, on error too, and makes its pixels reachable for the device.
// A frame in a lent slot, and any frame on a Unified device, stays where it is. Any other is
// copied into a slot of the copy ring, for which Stage may wait, and released at once; or it goes up in
// bands and is released by UploadBands.
func (s *Staging) Stage(ctx context.Context, f *frame.Frame) (Staged, error) {
	switch {
	case s.unified:
		return whereItLies(f), nil
	case f.Block != nil && !s.params.Up.PerFrame:
		return s.fromSlot(f), nil
	}
	if s.bandsUp(f) {
		return s.stageBanded(f), nil
	}
	defer f.Release()
	return s.copyIn(ctx, f)
}

func whereItLies(f *frame.Frame) Staged {
	st := Staged{src: f, shape: shapeOf(f)}
	for p := range f.NumPlanes {
		st.pic.Addr[p] = gpu.Addr(uintptr(f.Planes[p].Data))
		st.pic.Stride[p] = f.Planes[p].Stride
	}
	return st
}

func shapeOf(f *frame.Frame) frame.Layout {
	l := frame.Layout{NumPlanes: f.NumPlanes}
	for p := range f.NumPlanes {
		l.RowBytes[p], l.Rows[p] = f.Planes[p].RowBytes, f.Planes[p].Rows
	}
	return l
}

// fromSlot covers the planes with one range, so that one contiguous copy takes them all up. The
// offsets come from the plane pointers: decoders crop, and some shift.
func (s *Staging) fromSlot(f *frame.Frame) Staged {
	st := whereItLies(f)
	lo, hi := ^uintptr(0), uintptr(0)
	for _, p := range f.Planes[:f.NumPlanes] {
		first, end := rangeOf(p)
		lo, hi = min(lo, first), max(hi, end)
	}
	s.reach(&st, f.Block, unsafe.Add(f.Block.Base, lo-uintptr(f.Block.Base)), int(hi-lo))
	return st
}

// rangeOf is the range of addresses that hold the plane's pixels, whichever way its rows run.
func rangeOf(p frame.Plane) (first, end uintptr) {
	a := uintptr(p.Data)
	b := a + uintptr((p.Rows-1)*p.Stride)
	return min(a, b), max(a, b) + uintptr(p.RowBytes)
}

// copyAlign is the alignment of rows in the copy ring: a cache line.
const copyAlign = 64

// copyLayout is where a frame's planes go in a slot that it is copied into.
func copyLayout(f *frame.Frame) (stride, offset [frame.MaxPlanes]int, size int) {
	for p := range f.NumPlanes {
		stride[p] = (f.Planes[p].RowBytes + copyAlign - 1) &^ (copyAlign - 1)
		offset[p] = size
		size += stride[p] * f.Planes[p].Rows
	}
	return stride, offset, size
}

func (s *Staging) copyIn(ctx context.Context, f *frame.Frame) (Staged, error) {
	stride, offset, size := copyLayout(f)
	slot, err := s.acquireUpload(ctx, size)
	if err != nil {
		return Staged{}, err
	}
	st := Staged{slot: slot, shape: shapeOf(f)}
	for p := range f.NumPlanes {
		dst := unsafe.Add(slot.Base, offset[p])
		copyPlane(dst, stride[p], f.Planes[p])
		st.pic.Addr[p] = gpu.Addr(uintptr(dst))
		st.pic.Stride[p] = stride[p]
	}
	s.copied.Add(1)
	s.reach(&st, slot.Block, slot.Base, size)
	return st, nil
}

// reach makes the bytes from base on, in block b, reachable for the device: by a copy, or where
// kernels see the block's memory themselves, in place.
func (s *Staging) reach(st *Staged, b *frame.Block, base unsafe.Pointer, bytes int) {
	m := buffer(b)
	off := uintptr(base) - uintptr(b.Base)
	if s.inPlace(s.params.Up) && (s.unified || m.DeviceAddr() != 0) {
		for p := range st.shape.NumPlanes {
			st.pic.Addr[p] = m.DeviceAddr() + (st.pic.Addr[p] - gpu.Addr(uintptr(b.Base)))
		}
		return
	}
	st.base, st.bytes, st.host = base, bytes, m.Addr()+gpu.Addr(off)
}

// inPlace reports whether kernels read and write the memory of a mode directly.
func (s *Staging) inPlace(m Mode) bool {
	return s.unified || m.Kind == gpu.Mapped || m.Kind == gpu.Managed
}

func (s *Staging) acquireUpload(ctx context.Context, bytes int) (*Slot, error) {
	if s.level == Pageable {
		return s.acquirePageable(ctx, bytes)
	}
	if s.params.Up.PerFrame {
		return (&churn{s.up, s.done}).acquire(ctx, bytes)
	}
	if err := s.needCopyRing(bytes); err != nil {
		return nil, err
	}
	return s.copyRing.Acquire(ctx)
}

// needCopyRing makes the ring when the first frame needs it, and a new generation when a larger
// frame comes. It has a slot for each frame in flight and one to fill meanwhile.
func (s *Staging) needCopyRing(bytes int) error {
	if s.copyRing.holds(bytes) {
		return nil
	}
	s.copyRing.retire()
	s.copyRing = nil
	n := s.copySlots
	if n == 0 {
		n = s.params.InFlight + 1
	}
	r, err := newRing(s.up, n, 1, bytes, s.done)
	if err != nil {
		return fmt.Errorf("copy ring: %w", err)
	}
	r.poison = s.params.Poison
	s.copyRing = r
	return nil
}

func copyPlane(dst unsafe.Pointer, dstStride int, p frame.Plane) {
	if p.Stride == dstStride { // padding is ours to overwrite, but the last row may have none
		n := dstStride*(p.Rows-1) + p.RowBytes
		copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(p.Data), n))
		return
	}
	for y := range p.Rows {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, y*dstStride)), p.RowBytes), p.Row(y))
	}
}

// Record appends the copy to device memory at dev, Bytes long, and returns where the planes are
// for kernels. On a Unified device it appends nothing.
func (st *Staged) Record(c *gpu.Commands, dev gpu.Addr) Picture {
	if st.bytes == 0 {
		return st.pic
	}
	c.Copy(gpu.OpCopyH2D, dev, st.host, st.bytes)
	out := st.pic
	for p := range out.Addr {
		if out.Addr[p] != 0 {
			out.Addr[p] = dev + (out.Addr[p] - gpu.Addr(uintptr(st.base)))
		}
	}
	return out
}

// Done lets go of the picture: the last reader, copy or kernel, has finished.
func (st *Staged) Done() {
	if st.src != nil {
		st.src.Release()
	}
	if st.slot != nil {
		st.slot.Release()
	}
	*st = Staged{}
}
