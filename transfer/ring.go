package transfer

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// Ring is a fixed number of owned slots, lent one after another and used again: the oldest free
// slot first. Acquire and the slots' releases may be called from any goroutine.
type Ring struct {
	pool    *pool
	slots   []*Slot
	bytes   int        // of a slot
	free    chan *Slot // has room for as many slots as the ring was made for
	retired atomic.Bool
	poison  bool
	done    *Completer // for ReleaseAfter
	own     *Completer // the same, in a ring that NewRing made and that has to close it
}

// Slot is one buffer for one picture. Who acquired it owns it until its release.
type Slot struct {
	*frame.Block
	home home
	done *Completer
	out  frame.Frame // the result that lies in it, recycled with the slot

	banded bool // what comes into it comes in bands
}

// home is where a slot goes when it is released.
type home interface{ putSlot(*Slot) }

// Addr is the slot's address for copies.
func (s *Slot) Addr() gpu.Addr { return buffer(s.Block).Addr() }

// Acquire returns a free slot, waiting for one if need be, until ctx ends.
func (r *Ring) Acquire(ctx context.Context) (*Slot, error) {
	select {
	case s := <-r.free: // without the cost of looking at ctx
		return s, nil
	default:
	}
	select {
	case s := <-r.free:
		return s, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Release gives the slot back. No command that uses it may be pending.
func (s *Slot) Release() { s.home.putSlot(s) }

// ReleaseAfter gives the slot back when the event is done: record it behind the last command that
// uses the slot.
func (s *Slot) ReleaseAfter(e gpu.Event) { s.done.After(e, s) }

func (r *Ring) putSlot(s *Slot) {
	if r.poison {
		fill(unsafe.Slice((*byte)(s.Base), s.Size), poisonByte)
	}
	r.free <- s // has room for all slots, so never blocks
	if r.retired.Load() {
		r.drain()
	}
}

// Completed implements Completion. A device error is not lost: whoever uses the device next, or
// waits for the event, gets it.
func (s *Slot) Completed(error) { s.Release() }

// Len is the number of slots, Bytes the size of each.
func (r *Ring) Len() int { return len(r.slots) }

// Bytes is the size of a slot.
func (r *Ring) Bytes() int { return r.bytes }

// holds reports whether a picture of bytes fits a slot. A nil ring holds nothing.
func (r *Ring) holds(bytes int) bool { return r != nil && r.bytes >= bytes }

// newRing allocates n slots of bytes, but is content with fewer, down to least, where the cap or
// the memory ends.
func newRing(p *pool, n, least, bytes int, done *Completer) (*Ring, error) {
	r := &Ring{pool: p, bytes: pageRound(bytes), free: make(chan *Slot, n), done: done}
	for i := range n {
		b, err := p.get(bytes, n-i)
		if err != nil {
			if len(r.slots) >= least && (errors.Is(err, ErrCap) || errors.Is(err, gpu.ErrOutOfMemory)) {
				break
			}
			r.retire()
			return nil, fmt.Errorf("slot %d of %d, %d bytes: %w", len(r.slots)+1, n, bytes, err)
		}
		r.add(b)
	}
	return r, nil
}

// add makes a block a free slot of the ring.
func (r *Ring) add(b *frame.Block) {
	s := &Slot{Block: b, home: r, done: r.done}
	r.slots = append(r.slots, s)
	r.free <- s
}

// retire ends the ring: the memory of free slots goes back to the pool now, that of the others
// when they are released. No Acquire after it. A nil ring is retired.
func (r *Ring) retire() {
	if r == nil {
		return
	}
	r.retired.Store(true)
	r.drain()
}

// drain may run on several goroutines at once: each free slot is taken by one of them.
func (r *Ring) drain() {
	for {
		select {
		case s := <-r.free:
			r.pool.put(s.Block)
		default:
			return
		}
	}
}

// poisonByte fills released slots in tests: a reader that is late sees it instead of stale pixels.
const poisonByte = 0xDB

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}
