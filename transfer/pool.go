package transfer

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// pageBytes is the page size that blocks are rounded to, and the alignment that gpu promises.
const pageBytes = 4096

// ErrCap is matched by errors that say the cap on pinned memory would have been exceeded. The
// driver was not asked.
var ErrCap = errors.New("the cap on staging memory is reached")

// Cap is a limit in bytes shared by pools. Safe for concurrent use.
type Cap struct {
	mu    sync.Mutex
	limit int64
	used  int64
}

// NewCap makes a cap; limit 0 is "none".
func NewCap(limit int64) *Cap { return &Cap{limit: limit} }

// take books bytes if they fit.
func (c *Cap) take(bytes int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.limit > 0 && c.used+bytes > c.limit {
		return fmt.Errorf("%w: %d bytes in use, %d more asked for, cap %d", ErrCap, c.used, bytes, c.limit)
	}
	c.used += bytes
	return nil
}

func (c *Cap) give(bytes int64) {
	c.mu.Lock()
	c.used -= bytes
	c.mu.Unlock()
}

// left is what may still be booked, a very large number without a limit.
func (c *Cap) left() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.limit <= 0 {
		return 1 << 62
	}
	return c.limit - c.used
}

// fits reports whether bytes more would be within the limit.
func (c *Cap) fits(bytes int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limit <= 0 || c.used+bytes <= c.limit
}

// pool makes and frees the blocks of one direction. Blocks that are too small for what is asked
// are freed to make room; blocks that are given back are kept for the next taker, so that a stream
// that changes its size again and again does not allocate again and again.
// Safe for concurrent use; allocation happens under the lock, since drivers serialise it anyway.
type pool struct {
	dev  *gpu.Stats
	kind gpu.HostKind
	cap  *Cap

	mu      sync.Mutex
	idle    []*frame.Block // given back and kept
	bytes   atomic.Int64   // of all blocks
	live    int            // blocks allocated and not freed
	largest int            // bytes of the largest block there has been
	lost    error          // the first failure of a free that nobody waited for
}

func newPool(dev gpu.Device, kind gpu.HostKind, limit *Cap) *pool {
	return &pool{dev: gpu.NewStats(dev), kind: kind, cap: limit}
}

// buffer is the device's record of a block of ours.
func buffer(b *frame.Block) gpu.HostBuffer { return b.Mem.(gpu.HostBuffer) }

// get returns a block of at least bytes: the smallest idle one that is large enough, or a new one.
func (p *pool) get(bytes int) (*frame.Block, error) {
	bytes = pageRound(bytes)
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.takeIdle(bytes); b != nil {
		return b, nil
	}
	// What is idle is too small. It goes now, so that generations do not pile up under the cap.
	if err := p.freeIdle(); err != nil {
		return nil, err
	}
	return p.alloc(bytes)
}

func (p *pool) takeIdle(bytes int) *frame.Block {
	best := -1
	for i, b := range p.idle {
		if b.Size >= bytes && (best < 0 || b.Size < p.idle[best].Size) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	b := p.idle[best]
	p.idle = append(p.idle[:best], p.idle[best+1:]...)
	return b
}

// alloc makes a block of exactly bytes. The caller holds the lock.
func (p *pool) alloc(bytes int) (*frame.Block, error) {
	if err := p.cap.take(int64(bytes)); err != nil {
		return nil, err
	}
	m, err := p.dev.AllocHost(bytes, p.kind)
	if err != nil {
		p.cap.give(int64(bytes))
		return nil, err
	}
	p.live++
	p.bytes.Add(int64(bytes))
	p.largest = max(p.largest, bytes)
	return &frame.Block{Base: m.Ptr(), Size: bytes, Mem: m}, nil
}

// put keeps a block that nothing refers to any more.
func (p *pool) put(b *frame.Block) {
	p.mu.Lock()
	p.idle = append(p.idle, b)
	p.mu.Unlock()
}

// freeIdle frees what is idle. The caller holds the lock.
func (p *pool) freeIdle() error {
	var errs []error
	for _, b := range p.idle {
		errs = append(errs, buffer(b).Free())
		p.cap.give(int64(b.Size))
		p.bytes.Add(-int64(b.Size))
		p.live--
	}
	p.idle = nil
	return errors.Join(errs...)
}

// close frees what is idle and reports what is not: those blocks are still referred to, and
// freeing them would let somebody write into memory that is not ours any more.
func (p *pool) close(what string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := errors.Join(p.lost, p.freeIdle())
	if p.live > 0 {
		err = errors.Join(err, fmt.Errorf("%s: %d slots are still in use and were not freed", what, p.live))
	}
	return err
}

func pageRound(n int) int { return (n + pageBytes - 1) &^ (pageBytes - 1) }
