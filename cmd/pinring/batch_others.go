package main

import (
	"context"
	"slices"
	"time"

	"github.com/pinring/pinring/encode"
)

// otherRun is how often it is looked whether another run still writes an output.
const otherRun = 100 * time.Millisecond

// postpone leaves an input to the other run that is making its output, for now. Whether that run
// succeeds is seen after all other inputs: one that fails or is killed makes none.
func (b *batch) postpone(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs[i] = notStarted(b.config, b.tasks[i])
	b.later, b.left[i] = append(b.later, i), true
}

// takeLater gives an input that was left to another run, -1 for none: first one whose output nobody
// writes any more. The lock is held.
func (b *batch) takeLater() int {
	if len(b.later) == 0 {
		return -1
	}
	n := slices.IndexFunc(b.later, func(i int) bool { return !encode.BeingWritten(b.tasks[i].path()) })
	n = max(n, 0)
	i := b.later[n]
	b.later = slices.Delete(b.later, n, n+1)
	return i
}

// awaitOther waits while another run writes the task's output.
func awaitOther(ctx context.Context, t task, talk *talk) error {
	for said := false; encode.BeingWritten(t.path()); said = true {
		if !said {
			talk.say("another run is writing %s: waiting for its end", t.output)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(otherRun):
		}
	}
	return nil
}

// wasLeft reports whether the input was left to another run before.
func (b *batch) wasLeft(i int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left[i]
}
