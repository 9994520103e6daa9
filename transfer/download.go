package transfer

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// needDownRing makes the ring for results of bytes each, with a slot for each frame in flight
// and each that the sink holds, or as many as the cap and the memory give, but more than the sink
// holds. A ring of such slots that exists already stays; otherwise the old one is retired as its
// slots come home.
func (s *Staging) needDownRing(bytes, held int) error {
	if s.downRing.holds(bytes) {
		return nil
	}
	s.downRing.retire()
	s.downRing = nil
	n := s.params.InFlight + held
	r, err := newRing(s.down, n, held+1, bytes, s.done)
	if err != nil {
		return fmt.Errorf("download ring: %w", err)
	}
	if r.Len() < n {
		s.params.Note(fmt.Sprintf("the download ring is smaller than it could be, %d of %d slots: the cap on staging memory allows no more", r.Len(), n))
	}
	r.poison = s.params.Poison
	s.downRing = r
	return nil
}

// AcquireDownload returns a slot for a result of bytes, waiting for a free one if need be. held is
// the number of results that the sink keeps. The first call makes the ring.
func (s *Staging) AcquireDownload(ctx context.Context, bytes, held int) (*Slot, error) {
	s.held = held
	if s.params.Down.PerFrame && s.level == Pageable {
		return s.acquirePageable(ctx, bytes)
	}
	if s.params.Down.PerFrame {
		return (&churn{s.down, s.done}).acquire(ctx, bytes)
	}
	if s.downBands == nil {
		err := s.needDownRing(bytes, held)
		if err == nil {
			return s.downRing.Acquire(ctx)
		}
		if !errors.Is(err, ErrCap) {
			return nil, err
		}
	}
	if err := s.setDownBands(need{down: bytes, held: held}, true); err != nil {
		return nil, err
	}
	return s.resultRing.Acquire(ctx)
}

// DownInPlace reports whether kernels write results into the slots themselves.
func (s *Staging) DownInPlace() bool { return s.downBands == nil && s.inPlace(s.params.Down) }

// DeviceAddr is where kernels see the slot, for slots that they write in place.
func (s *Slot) DeviceAddr() gpu.Addr { return buffer(s.Block).DeviceAddr() }

// RecordDownload appends the copy of bytes from device memory at dev into the slot. On a Unified
// device it appends nothing: kernels wrote the slot itself. Nor does it for a slot that is Banded.
func (s *Staging) RecordDownload(c *gpu.Commands, slot *Slot, dev gpu.Addr, bytes int) {
	if !slot.banded && !s.DownInPlace() {
		c.Copy(gpu.OpCopyD2H, slot.Addr(), dev, bytes)
	}
}

// Frame makes the slot's contents a frame: the planes lie in the slot as pic lies from base on.
// The caller fills in everything else; releasing the frame releases the slot.
func (s *Slot) Frame(pic Picture, base gpu.Addr, l frame.Layout) *frame.Frame {
	f := &s.out
	f.Block = s.Block
	f.NumPlanes = l.NumPlanes
	for p := range l.NumPlanes {
		f.Planes[p] = frame.Plane{
			Data:     unsafe.Add(s.Base, int(pic.Addr[p]-base)),
			Stride:   pic.Stride[p],
			RowBytes: l.RowBytes[p],
			Rows:     l.Rows[p],
		}
	}
	f.Arm(s)
	return f
}

// PutFrame implements frame.Owner.
func (s *Slot) PutFrame(*frame.Frame) { s.Release() }
