package probe

import (
	"context"
	"fmt"
	"time"
)

// await watches the traces that grew by more than noise until all are back, or the rig's time is over.
// It ends early when nothing is going to change, and with ctx's cause.
func (r *Rig) await(ctx context.Context, traces []Trace, bytes int64) error {
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
	freed := r.Clock.Now()
	last := freed
	for open > 0 {
		now := r.Clock.Now()
		follow(traces, r.Read(), func(t *Trace, usage int64) {
			if t.Watched && !t.Returned && usage <= t.Before+slack(t.Growth()) {
				t.Returned, t.After, t.Resolution = true, now-freed, now-last
				open--
			}
		})
		last = now
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
