package probe

import (
	"context"
	"fmt"
	"slices"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// Step is a moment of [Rig.Hold].
type Step int

// The steps.
const (
	Held Step = iota
	Freed
	Back
	Away // instead of Back: the watch ended before
)

func (s Step) String() string { return [...]string{"pinned", "freed", "back", "not back"}[s] }

// ScarceError is memory that the host has not: taking it would end programs, this one or others. It matches
// [gpu.ErrOutOfMemory].
type ScarceError struct{ Bytes, Free int64 }

func (e *ScarceError) Error() string {
	return fmt.Sprintf("out of memory: %s are not tried, as the host has %s left", budget.FormatBytes(e.Bytes), budget.FormatBytes(e.Free))
}

// Is makes it an out of memory.
func (*ScarceError) Is(target error) bool { return target == gpu.ErrOutOfMemory }

// Hold allocates host memory, frees it, and watches for its return; at each step it calls now. Back
// comes also when the memory never was charged to the device. It tries nothing that would take the last tenth
// of the host's memory: that is a *ScarceError.
func (r *Rig) Hold(ctx context.Context, kind gpu.HostKind, bytes int64, now func(Step)) ([]Trace, error) {
	traces := begin(r.Read())
	if free, known := r.freeRAM(); known && bytes > free-free/10 {
		return traces, &ScarceError{Bytes: bytes, Free: free}
	}
	b, err := r.Device.AllocHost(int(bytes), kind)
	if err != nil {
		return traces, err
	}
	defer b.Free() // idempotent
	r.touch(b)
	follow(traces, r.Read(), func(t *Trace, usage int64) { t.Held = usage })
	now(Held)
	if err := b.Free(); err != nil {
		return traces, err
	}
	freed := r.Clock.Now()
	follow(traces, r.Read(), func(t *Trace, usage int64) { t.Freed = usage })
	now(Freed)
	if err := r.await(ctx, traces, bytes, freed); err != nil {
		return traces, err
	}
	if slices.ContainsFunc(traces, func(t Trace) bool { return t.Watched && !t.Returned }) {
		now(Away)
	} else {
		now(Back)
	}
	return traces, nil
}
