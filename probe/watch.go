package probe

import (
	"context"
	"fmt"
	"time"
)

// await watches the traces that grew by more than noise until all are back, or the rig's time is over.
// freed is the clock when the free had returned. It ends early when nothing is going to change, and with
// ctx's cause.
//
// A look takes time, and much of it on a busy machine. So the memory is said to be back when the look that
// saw it had ended, and to have been away when the look before that began: the truth lies between.
func (r *Rig) await(ctx context.Context, traces []Trace, bytes int64, freed time.Duration) error {
	open := 0
	for i := range traces {
		t := &traces[i]
		t.Watched = t.ofDevice() && Charged(t.Growth(), bytes)
		if t.Watched {
			open++
		}
	}
	if open > 0 {
		r.say(fmt.Sprintf("freed; watching for up to %v until it is back", r.watch()))
	}
	last := freed // when the look that last saw it away began
	for open > 0 {
		looked := r.Clock.Now()
		readings := r.Read()
		now := r.Clock.Now()
		follow(traces, readings, func(t *Trace, usage int64) {
			if t.Watched && !t.Returned && usage <= t.Before+slack(t.Growth()) {
				t.Returned, t.After, t.Resolution = true, now-freed, now-last
				open--
			}
		})
		last = looked
		if open == 0 || now-freed >= r.watch() {
			return nil
		}
		if err := r.wait(ctx, min(r.step(now-freed), freed+r.watch()-now)); err != nil {
			if err == errIdle {
				return nil
			}
			return err
		}
	}
	return nil
}

// step is how long to wait before looking again: finer at first, within a hundredth of what has passed.
// A virtual clock costs nothing and is always fine.
func (r *Rig) step(passed time.Duration) time.Duration {
	const finest = 5 * time.Millisecond
	if r.virtual() {
		return finest
	}
	return min(max(passed/100, finest), 100*time.Millisecond)
}

// virtual reports whether the clock passes time without waiting.
func (r *Rig) virtual() bool {
	v, ok := r.Clock.(interface{ Virtual() bool })
	return ok && v.Virtual()
}
