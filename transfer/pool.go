package transfer

import (
	"fmt"
	"sync/atomic"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// pageBytes is the page size that blocks are rounded to, and the alignment that gpu promises.
const pageBytes = 4096

// pool counts what one direction of one user takes from an arena. Safe for concurrent use.
type pool struct {
	arena *Arena
	seat  *seat
	dev   *gpu.Stats // the arena's device, with this direction's own counters
	kind  gpu.HostKind

	live    atomic.Int64 // blocks that somebody has
	bytes   atomic.Int64 // of these
	peak    atomic.Int64
	largest atomic.Int64 // bytes of the largest block there has been
}

func newPool(a *Arena, s *seat, kind gpu.HostKind) *pool {
	return &pool{arena: a, seat: s, dev: gpu.NewStats(a.dev), kind: kind}
}

// buffer is the device's record of a block of ours.
func buffer(b *frame.Block) gpu.HostBuffer { return b.Mem.(gpu.HostBuffer) }

// get returns a block of whole pages for bytes; batch is how many such will be wanted now.
func (p *pool) get(bytes, batch int) (*frame.Block, error) {
	s, err := p.arena.take(p, bytes, batch)
	if err != nil {
		return nil, err
	}
	return p.block(s), nil
}

// single returns a block of exactly bytes, an allocation of its own that is freed when it comes back.
func (p *pool) single(bytes int) (*frame.Block, error) {
	s, err := p.arena.takeSingle(p, bytes)
	if err != nil {
		return nil, err
	}
	return p.block(s), nil
}

func (p *pool) block(s *span) *frame.Block {
	p.live.Add(1)
	raise(&p.peak, p.bytes.Add(int64(s.bytes)))
	raise(&p.largest, int64(s.bytes))
	return &frame.Block{Base: s.Ptr(), Size: s.bytes, Mem: s}
}

// raise makes v at least n.
func raise(v *atomic.Int64, n int64) {
	for old := v.Load(); n > old && !v.CompareAndSwap(old, n); old = v.Load() {
	}
}

// put keeps a block that nothing refers to any more for the next taker.
func (p *pool) put(b *frame.Block) { p.giveBack(b, false) }

// discard frees a block that nothing refers to any more, as far as nothing else lies in its
// allocation.
func (p *pool) discard(b *frame.Block) { p.giveBack(b, true) }

// giveBack keeps a failure for the arena's close: releases have nobody to tell.
func (p *pool) giveBack(b *frame.Block, free bool) {
	p.live.Add(-1)
	p.bytes.Add(-int64(b.Size))
	if err := p.arena.give(p, b.Mem.(*span), free); err != nil {
		p.arena.lose(err)
	}
}

// left is how many bytes of blocks of that size can still be had, about.
func (p *pool) left(bytes int) int64 { return p.arena.left(p, bytes) }

// inUse reports blocks that have not come back.
func (p *pool) inUse(what string) error {
	if n := p.live.Load(); n > 0 {
		return fmt.Errorf("%s: %d slots are still in use and were not freed", what, n)
	}
	return nil
}

func pageRound(n int) int { return (n + pageBytes - 1) &^ (pageBytes - 1) }
