package transfer

import (
	"context"

	"github.com/pinring/pinring/frame"
)

// churn makes a slot for each picture and frees it afterwards: what the ring exists to avoid, kept
// to show what it costs, and where it ends.
type churn struct {
	pool *pool
	done *Completer
}

// acquire allocates. It never waits: the number of slots is bounded by the frames in flight.
func (c *churn) acquire(_ context.Context, bytes int) (*Slot, error) {
	c.pool.mu.Lock()
	defer c.pool.mu.Unlock()
	b, err := c.pool.alloc(bytes)
	if err != nil {
		return nil, err
	}
	return &Slot{Block: b, home: c, done: c.done}, nil
}

func (c *churn) putSlot(s *Slot) { c.pool.discard(s.Block) }

// discard frees a block that nothing refers to any more. A failure is kept for the pool's close:
// releases have nobody to tell.
func (p *pool) discard(b *frame.Block) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, b)
	if err := p.freeIdle(); err != nil && p.lost == nil {
		p.lost = err
	}
}
