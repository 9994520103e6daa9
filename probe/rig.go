package probe

import (
	"context"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// Rig is what experiments run on. It is used from one goroutine at a time; the caller keeps the device
// and the meters, and closes them.
type Rig struct {
	Device gpu.Device
	Meters []budget.Meter
	// Clock is the wall clock, or the emulated card, whose time then passes without waiting.
	Clock budget.Clock
	// Touch says to write to every page that is allocated, so that it is really there. Without it,
	// memory that nobody touches need not exist.
	Touch bool
	// Watch is how long to watch for memory to come back; 0 is a minute.
	Watch time.Duration
	begun int64 // frames that the clock was told of

	// Progress, when set, is told what is being done, a few words at a time.
	Progress func(string)
}

// DefaultWatch is how long memory is given to come back.
const DefaultWatch = time.Minute

func (r *Rig) watch() time.Duration {
	if r.Watch > 0 {
		return r.Watch
	}
	return DefaultWatch
}

func (r *Rig) say(s string) {
	if r.Progress != nil {
		r.Progress(s)
	}
}

// Read asks every meter. What a meter that fails would have said is missing.
func (r *Rig) Read() []budget.Reading {
	got, _ := budget.Read(r.Meters...)
	now := r.Clock.Now()
	for i := range got {
		got[i].At = now
	}
	return got
}

// wait lets d pass, or ends early with ctx's cause. An emulated card on which nothing is going to
// change lets no time pass: that is no error here.
func (r *Rig) wait(ctx context.Context, d time.Duration) error {
	err := r.Clock.Wait(ctx, d)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return errIdle
	}
	return nil
}
