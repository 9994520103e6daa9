package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/pinring/pinring/frame"
)

// Cycle gives a few frames again and again from memory, so that the transfer path can be seen
// without the decoder. Next belongs to one goroutine; frames may be released from any.
type Cycle struct {
	kept  []*frame.Frame
	total int64
	next  int64
	step  int64 // pts from one frame to the next

	mu     sync.Mutex
	spares []*frame.Frame
}

// NewCycle takes up to keep frames from the source and gives total of them. It owns the frames that
// it took until Close, which must come before the source's.
func NewCycle(ctx context.Context, src Source, keep int, total int64) (*Cycle, error) {
	c := &Cycle{total: total, step: 1}
	for len(c.kept) < keep {
		f, err := src.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			c.Close()
			return nil, err
		}
		c.kept = append(c.kept, f)
	}
	if len(c.kept) == 0 {
		return nil, fmt.Errorf("no frame to repeat: %w", io.ErrUnexpectedEOF)
	}
	if d := c.kept[0].Duration; d > 0 {
		c.step = d
	}
	return c, nil
}

// Next implements Source. The frame is a view: its pixels are those of a kept one.
func (c *Cycle) Next(ctx context.Context) (*frame.Frame, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.next >= c.total {
		return nil, io.EOF
	}
	of := c.kept[c.next%int64(len(c.kept))]
	f := c.spare()
	f.Info, f.Meta = of.Info, of.Meta
	f.Planes, f.NumPlanes, f.Block = of.Planes, of.NumPlanes, of.Block
	f.Index, f.PTS, f.Duration = c.next, c.next*c.step, c.step
	f.Arm(c)
	c.next++
	return f, nil
}

func (c *Cycle) spare() *frame.Frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.spares); n > 0 {
		f := c.spares[n-1]
		c.spares = c.spares[:n-1]
		return f
	}
	return new(frame.Frame)
}

// PutFrame implements frame.Owner.
func (c *Cycle) PutFrame(f *frame.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spares = append(c.spares, f)
}

// Close releases the kept frames. No view may be in use.
func (c *Cycle) Close() {
	for _, f := range c.kept {
		f.Release()
	}
	c.kept = nil
}
