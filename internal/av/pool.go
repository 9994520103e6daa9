package av

// #include "pool.h"
import "C"

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/pinring/pinring/frame"
)

// Pool is a set of memory blocks that a decoder writes its pictures into. All methods may be called
// from any goroutine.
//
// A block is free, or busy while any picture, handed out or kept by the decoder as a reference,
// lies in it. A free block is lent to the decoder last in, first out. When no free block is large
// enough the decoder uses memory of its own, and that is counted.
type Pool struct {
	c *C.pr_pool

	mu     sync.Mutex
	closed bool
	unused []int // free places in blocks
	// blocks by id. It is replaced, never changed, so that a decoder reads it without the lock.
	blocks atomic.Pointer[[]*frame.Block]
}

// PoolStats are counters of a pool.
type PoolStats struct {
	Taken     int64 // pictures that were given a block
	Fallbacks int64 // pictures that the decoder put into memory of its own
	Slots     int   // blocks in the pool, retired ones left out
	Busy      int   // blocks, retired ones too, that something refers to
	BusyMax   int
}

// NewPool makes an empty pool.
func NewPool() (*Pool, error) {
	c := C.pr_pool_new()
	if c == nil {
		return nil, errors.New("make slot pool: out of memory")
	}
	p := &Pool{c: c}
	p.blocks.Store(&[]*frame.Block{})
	return p, nil
}

// Add puts a block into the pool. It reports false when the pool is closed: the block is then still
// the caller's. The decoder may begin to write into the block before Add returns.
func (p *Pool) Add(b *frame.Block) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	id := p.name(b)
	if C.pr_pool_add(p.c, b.Base, C.size_t(b.Size), C.int(id)) < 0 {
		p.forget(id)
		return false
	}
	return true
}

// name finds a place for the block in the table.
func (p *Pool) name(b *frame.Block) int {
	old := *p.blocks.Load()
	id := len(old)
	if n := len(p.unused); n > 0 {
		id, p.unused = p.unused[n-1], p.unused[:n-1]
	}
	table := make([]*frame.Block, max(len(old), id+1))
	copy(table, old)
	table[id] = b
	p.blocks.Store(&table)
	return id
}

func (p *Pool) forget(id int) *frame.Block {
	table := append([]*frame.Block(nil), *p.blocks.Load()...)
	b := table[id]
	table[id] = nil
	p.blocks.Store(&table)
	p.unused = append(p.unused, id)
	return b
}

func (p *Pool) block(id C.int) *frame.Block {
	if id < 0 {
		return nil
	}
	return (*p.blocks.Load())[id]
}

// Retire takes all blocks smaller than size bytes out of the pool: free ones at once, busy ones when
// the last reference to them is dropped. TakeReturned then hands them out.
func (p *Pool) Retire(size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.c != nil {
		C.pr_pool_retire(p.c, C.size_t(size))
	}
}

// TakeReturned calls f for every retired block that nothing refers to any more. The block is the
// callee's.
func (p *Pool) TakeReturned(f func(*frame.Block)) {
	for _, b := range p.takeReturned() {
		f(b)
	}
}

func (p *Pool) takeReturned() (out []*frame.Block) {
	var ids [32]C.int
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.c != nil {
		n := C.pr_pool_take_returned(p.c, &ids[0], C.int(len(ids)))
		for _, id := range ids[:n] {
			out = append(out, p.forget(int(id)))
		}
		if int(n) < len(ids) {
			break
		}
	}
	return out
}

// Demand is the layout of the largest picture that no block of the pool could have held since the
// last Retire; false when there was none.
func (p *Pool) Demand() (frame.Layout, bool) {
	s := p.read()
	if s.demand.size == 0 {
		return frame.Layout{}, false
	}
	return layoutFromC(&s.demand, formatName(s.demand.format)), true
}

// Stats reads the counters.
func (p *Pool) Stats() PoolStats {
	s := p.read()
	return PoolStats{Taken: int64(s.taken), Fallbacks: int64(s.fallbacks),
		Slots: int(s.slots), Busy: int(s.busy), BusyMax: int(s.busy_max)}
}

func (p *Pool) read() (s C.pr_pool_stats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.c != nil {
		C.pr_pool_read_stats(p.c, &s)
	}
	return s
}

// Shut makes Add refuse blocks and retires all. TakeReturned works on.
func (p *Pool) Shut() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Retire(int(^uint(0) >> 1))
}

// Close lets go of the pool. Blocks that are still busy stay untouched for ever: it returns how
// many, which is how many the owner of the memory must not free.
func (p *Pool) Close() (busy int) {
	p.Shut()
	busy = p.Stats().Busy
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.c != nil {
		C.pr_pool_unref(p.c)
		p.c = nil
	}
	return busy
}
