package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// A picture that is too large for a slot under the cap travels in bands: a few rows at a time over
// small slots, of which one is copied by the device while the host fills or empties the other. The
// device has the whole picture in the end, so kernels know nothing of bands.

// Band slots are as large as gives copies their full speed, and smaller under a small cap.
const (
	bandSlots    = 2
	bandBytesMax = 4 << 20
)

// bands is the way of one direction, for one goroutine.
type bands struct {
	pool  *pool
	bytes int // of a slot
	gears []*gear
	next  int
	done  *Completer // of its own: a band does not wait behind other frames' events
}

// gear is a band slot with what a copy of it needs.
type gear struct {
	block *frame.Block
	event gpu.Event
	cmds  gpu.Commands
	ready chan error // holds one while no copy uses the slot
}

// Completed implements Completion.
func (g *gear) Completed(err error) { g.ready <- err }

// wait returns when no copy uses the slot any more, and what became of the last one.
func (g *gear) wait(ctx context.Context) error {
	select {
	case err := <-g.ready:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// newBands takes the slots, or one where there is no room for two.
func newBands(dev gpu.Device, p *pool, bytes int) (*bands, error) {
	b := &bands{pool: p, bytes: bytes, done: NewCompleter(bandSlots)}
	for i := range bandSlots {
		err := b.addGear(dev, bandSlots-i)
		if err == nil {
			continue
		}
		if i > 0 && (errors.Is(err, ErrCap) || errors.Is(err, gpu.ErrOutOfMemory)) {
			break
		}
		return nil, errors.Join(fmt.Errorf("slot for bands of %d bytes: %w", bytes, err), b.close())
	}
	return b, nil
}

func (b *bands) addGear(dev gpu.Device, batch int) error {
	block, err := b.pool.get(b.bytes, batch)
	if err != nil {
		return err
	}
	e, err := dev.NewEvent(false)
	if err != nil {
		b.pool.put(block)
		return err
	}
	g := &gear{block: block, event: e, ready: make(chan error, 1)}
	g.ready <- nil
	b.gears = append(b.gears, g)
	return nil
}

// turn is the gear whose turn it is.
func (b *bands) turn() *gear {
	g := b.gears[b.next]
	b.next = (b.next + 1) % len(b.gears)
	return g
}

// submit sends the gear's commands off. When they are refused nothing is under way afterwards.
func (b *bands) submit(s gpu.Stream, g *gear) error {
	g.cmds.Record(g.event)
	if err := s.Submit(&g.cmds); err != nil {
		if !gpu.Poisoned(err) {
			err = errors.Join(err, s.Synchronize())
		}
		g.ready <- nil
		return err
	}
	b.done.After(g.event, g)
	return nil
}

// close waits for the copies under way and gives the slots back. A nil way is closed.
func (b *bands) close() error {
	if b == nil {
		return nil
	}
	b.done.Close()
	var errs []error
	for _, g := range b.gears {
		errs = append(errs, g.event.Close())
		b.pool.put(g.block)
	}
	b.gears = nil
	return errors.Join(errs...)
}
