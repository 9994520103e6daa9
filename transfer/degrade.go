package transfer

import (
	"context"
	"errors"

	"github.com/pinring/pinring/gpu"
)

// Level is how much page-locked memory a Staging may use.
type Level uint8

// The levels.
const (
	Full     Level = iota // what it was made for
	Shrunk                // the smallest rings that work
	Pageable              // no page-locked memory that is not there already
)

var levelNames = [...]string{"full", "shrunk", "pageable"}

func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return "unknown"
}

// leastSlots is what a ring keeps when it is shrunk: one that travels and one that is filled.
const leastSlots = 2

// SetLevel goes to a level. Shrinking takes free slots only: those in use stay until somebody asks
// again. Slots that a decoder was lent stay with it. Growing back is tried as far as memory goes. It
// belongs to the goroutine that calls Stage.
func (s *Staging) SetLevel(l Level) error {
	s.level = l
	if l == Full {
		return errors.Join(grow(s.copyRing), grow(s.downRing))
	}
	return errors.Join(shrink(s.copyRing, leastSlots), shrink(s.downRing, s.held+leastSlots))
}

// Level is the present one.
func (s *Staging) Level() Level { return s.level }

// Degraded is how many frames were staged in pageable memory because of the level.
func (s *Staging) Degraded() int64 { return s.degraded.Load() }

// acquirePageable gives a slot of plain memory for one picture.
func (s *Staging) acquirePageable(ctx context.Context, bytes int) (*Slot, error) {
	s.degraded.Add(1)
	return (&churn{s.ordinary(), s.done}).acquire(ctx, bytes)
}

// ordinary is memory that is not page-locked, and that no cap counts.
func (s *Staging) ordinary() *pool {
	if s.plain == nil {
		a := NewArena(s.dev, ArenaParams{})
		s.plain = newPool(a, a.sit(), gpu.Pageable)
	}
	return s.plain
}

// shrink frees free slots until least are left.
func shrink(r *Ring, least int) error {
	if r == nil {
		return nil
	}
	for len(r.slots) > least {
		select {
		case s := <-r.free:
			r.forget(s)
			r.pool.discard(s.Block)
		default:
			return nil
		}
	}
	return nil
}

// forget takes a slot, which is free and in hand, out of the ring.
func (r *Ring) forget(s *Slot) {
	for i, x := range r.slots {
		if x == s {
			r.slots = append(r.slots[:i], r.slots[i+1:]...)
			return
		}
	}
}

// grow gives a ring its slots back, or as many as there is memory for.
func grow(r *Ring) error {
	if r == nil {
		return nil
	}
	for len(r.slots) < cap(r.free) {
		b, err := r.pool.get(r.bytes, cap(r.free)-len(r.slots))
		if errors.Is(err, ErrCap) || errors.Is(err, gpu.ErrOutOfMemory) {
			return nil
		}
		if err != nil {
			return err
		}
		r.add(b)
	}
	return nil
}
