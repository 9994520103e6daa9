package transfer

import (
	"context"
)

// churn makes a slot for each picture and frees it afterwards: what the ring exists to avoid, kept
// to show what it costs, and where it ends.
type churn struct {
	pool *pool
	done *Completer
}

// acquire allocates. It never waits: the number of slots is bounded by the frames in flight.
func (c *churn) acquire(_ context.Context, bytes int) (*Slot, error) {
	b, err := c.pool.single(bytes)
	if err != nil {
		return nil, err
	}
	return &Slot{Block: b, home: c, done: c.done}, nil
}

func (c *churn) putSlot(s *Slot) { c.pool.discard(s.Block) }
