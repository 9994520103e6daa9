package budget

import (
	"context"
	"sync"
)

// Door is where the frames of one stream stand before a guard that several streams share. Frames keep
// the numbers of their stream; the guard and its clock see all streams as one row of frames, in the
// order in which they are admitted. Streams share the headroom and the guard's decisions: while one
// frame is held, all are.
//
// The methods are those of a [Guard], with the same rules for each stream.
type Door struct {
	guard *Guard
	tally tally // under the guard's lock

	mu     sync.Mutex
	inside []numbered // frames between Admit and Done
}

// numbered is a frame with its number in its stream and before the guard.
type numbered struct{ frame, number int64 }

// Door makes a door for one more stream.
func (g *Guard) Door() *Door {
	return &Door{guard: g, inside: make([]numbered, 0, g.cfg.MaxInFlight+1)}
}

// Admit is as the guard's.
func (d *Door) Admit(ctx context.Context, frame, bytes int64) error {
	g := d.guard
	if err := g.knock(ctx); err != nil {
		return err
	}
	defer g.leave()
	number := g.next
	g.next++
	if err := g.admit(ctx, caller{frame: number, shown: frame, tally: &d.tally}, bytes); err != nil {
		g.clock.End(number) // the clock may have begun it, and others go on
		return err
	}
	d.mu.Lock()
	d.inside = append(d.inside, numbered{frame, number})
	d.mu.Unlock()
	return nil
}

// Allocated is as the guard's.
func (d *Door) Allocated(frame int64) {
	if n, ok := d.number(frame, false); ok {
		d.guard.Allocated(n)
	}
}

// Done is as the guard's.
func (d *Door) Done(frame int64) {
	if n, ok := d.number(frame, true); ok {
		d.guard.Done(n)
	}
}

// number is the frame's number before the guard; gone forgets the frame.
func (d *Door) number(frame int64, gone bool) (int64, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, x := range d.inside {
		if x.frame != frame {
			continue
		}
		if gone {
			d.inside = append(d.inside[:i], d.inside[i+1:]...)
		}
		return x.number, true
	}
	return 0, false
}

// Level is the guard's.
func (d *Door) Level() Level { return d.guard.Level() }

// Summary reports what the guard did to this stream: what was seen, decided and waited while its
// frames stood at the door. It allocates.
func (d *Door) Summary() Summary { return d.guard.summary(&d.tally) }

// Close takes frames that never left, since the stream broke off, out of the guard's count, so that
// no other stream waits for them. Their memory must have been given back. Idempotent.
func (d *Door) Close() {
	d.mu.Lock()
	left := d.inside
	d.inside = nil
	d.mu.Unlock()
	for _, x := range left {
		d.guard.Done(x.number)
	}
}
