package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/internal/stopwatch"
)

// Row is one allocation of the size experiment.
type Row struct {
	Kind  gpu.HostKind
	Bytes int64
	// Skipped says why it was not tried, empty when it was.
	Skipped string
	// Err is why there is no such memory; gpu.ErrOutOfMemory and gpu.ErrUnsupported are results.
	Err error
	// Alloc and Free are how long the calls took in real time, without touching the pages; 0 where
	// there is no memory behind an emulated card.
	Alloc, Free time.Duration
	Traces      []Trace
}

// DefaultSizes are 128 MiB to 2 GiB, the sizes of the report that the emulated card follows.
func DefaultSizes() []int64 {
	return []int64{128 * budget.MiB, 256 * budget.MiB, 512 * budget.MiB, budget.GiB, 2 * budget.GiB}
}

// DefaultKinds are the kinds that programs use.
func DefaultKinds() []gpu.HostKind {
	return []gpu.HostKind{gpu.Pinned, gpu.Pageable, gpu.Registered, gpu.Managed, gpu.Mapped}
}

// Sizes allocates each size of each kind, one at a time, smaller ones first, and says what the meters
// saw. Nothing takes more than a third of the host memory that is free, and nothing is tried that by
// the sizes before it cannot fit: drivers have been seen to refuse all pinned memory once they refused
// some. What is not tried is in the rows, with the reason. Sizes returns early, with what it has and an
// error, when ctx is done or the device is lost; what it allocated is freed in any case.
func (r *Rig) Sizes(ctx context.Context, sizes []int64, kinds []gpu.HostKind) ([]Row, error) {
	sizes = slices.Sorted(slices.Values(sizes))
	var rows []Row
	refused := false // some memory was, of any kind
	for _, kind := range kinds {
		var last *Row // of this kind
		for _, bytes := range sizes {
			row := Row{Kind: kind, Bytes: bytes, Skipped: r.skip(kind, bytes, last, refused)}
			if row.Skipped == "" {
				if err := r.row(ctx, &row); err != nil {
					return rows, err
				}
				last = &row
				refused = refused || errors.Is(row.Err, gpu.ErrOutOfMemory)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// skip says why a size is not tried, empty when it is to be. last is the row before it.
func (r *Rig) skip(kind gpu.HostKind, bytes int64, last *Row, refused bool) string {
	if free, known := r.freeRAM(); known && bytes > free/3 {
		return fmt.Sprintf("more than a third of the host's free memory, %s", budget.FormatBytes(free))
	}
	if last != nil && last.Err != nil {
		return fmt.Sprintf("%s could not be had", budget.FormatBytes(last.Bytes))
	}
	if last != nil {
		if why := last.tooLarge(bytes); why != "" {
			return why
		}
	}
	if refused && r.locked(kind) {
		return "since a request was refused none is granted, not even one of 4 KiB"
	}
	return ""
}

// tooLarge says that an allocation of bytes cannot fit if it is charged like this one was.
func (row *Row) tooLarge(bytes int64) string {
	for i := range row.Traces {
		t := &row.Traces[i]
		left := t.Budget - t.Before
		charge := int64(float64(t.Growth()) / float64(row.Bytes) * float64(bytes))
		if t.ofDevice() && Charged(t.Growth(), row.Bytes) && charge > left {
			return fmt.Sprintf("would be charged about %s to %s, which has %s left: a refusal can make a driver refuse all pinned memory",
				budget.FormatBytes(charge), t.Domain.Title(), budget.FormatBytes(left))
		}
	}
	return ""
}

// freeRAM is the least that a meter of host memory says is left.
func (r *Rig) freeRAM() (free int64, known bool) {
	for _, x := range r.Read() {
		if x.Domain == budget.HostRAM && (!known || x.Headroom < free) {
			free, known = x.Headroom, true
		}
	}
	return free, known
}

// locked reports whether the kind is refused altogether: some drivers refuse all pinned memory after
// they refused some.
func (r *Rig) locked(kind gpu.HostKind) bool {
	b, err := r.Device.AllocHost(4096, kind)
	if err == nil {
		err = b.Free()
	}
	return errors.Is(err, gpu.ErrOutOfMemory)
}

// row makes one allocation and watches it. Results, refusals too, are in the row; the error is what
// ends the experiment.
func (r *Rig) row(ctx context.Context, row *Row) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.say(fmt.Sprintf("%s of %s memory", budget.FormatBytes(row.Bytes), row.Kind))
	row.Traces = begin(r.Read())
	began := stopwatch.Now()
	b, err := r.Device.AllocHost(int(row.Bytes), row.Kind)
	row.Alloc = r.took(began)
	if errors.Is(err, gpu.ErrOutOfMemory) || errors.Is(err, gpu.ErrUnsupported) {
		row.Err = err
		return nil
	}
	if err != nil {
		var dev *gpu.DeviceError // such as "invalid value" for memory that cannot be registered
		if errors.As(err, &dev) && !dev.Poisoned {
			row.Err = err
			return nil
		}
		return err
	}
	defer b.Free() // idempotent: for the ways out below
	r.touch(b)
	follow(row.Traces, r.Read(), func(t *Trace, usage int64) { t.Held = usage })
	began = stopwatch.Now()
	if err := b.Free(); err != nil {
		return err
	}
	freed := r.Clock.Now() // before Free is taken: Free and what passes after freed have no gap between
	row.Free = r.took(began)
	follow(row.Traces, r.Read(), func(t *Trace, usage int64) { t.Freed = usage })
	return r.await(ctx, row.Traces, row.Bytes, freed)
}

// took is the real time since began, 0 on a virtual clock: nothing real was done then.
func (r *Rig) took(began time.Duration) time.Duration {
	if r.virtual() && !r.Touch {
		return 0
	}
	return stopwatch.Since(began)
}

// touch writes to each page.
func (r *Rig) touch(b gpu.HostBuffer) {
	if !r.Touch {
		return
	}
	memory := unsafe.Slice((*byte)(b.Ptr()), b.Bytes())
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
}
