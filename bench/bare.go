package bench

import (
	"context"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
)

// looper is a device that can replay lists of commands in a loop of its own, without coming back to
// Go: the least that the same work can take. gpu/cuda has it.
type looper interface {
	// Loop submits, n times, the next of the lists to the stream of the same place, each list of each
	// commands, after waiting for the list's work of the round before. It returns how long n took.
	Loop(streams []gpu.Stream, lists *gpu.Commands, each, n int) (time.Duration, error)
}

// bare is the ring's path with nothing around it: a stream per slot, one copy up, the chain's kernels,
// one copy down.
type bare struct {
	kit
	dev     looper
	streams []gpu.Stream
	lists   gpu.Commands
	each    int
}

func newBare(dev gpu.Device, l looper, plan *kernels.Plan, prog gpu.Program, src frame.Layout, slots int) (*bare, error) {
	b := &bare{dev: l}
	bound, err := plan.Bind(prog)
	if err != nil {
		return nil, err
	}
	tables := b.tables(dev, plan.Tables)
	for range slots {
		b.slot(dev, plan, bound, src, tables)
	}
	if b.err != nil {
		err := b.err
		b.free()
		return nil, err
	}
	b.each = len(b.lists.List) / slots
	return b, nil
}

// slot makes a slot's memory and records its list behind the others'.
func (b *bare) slot(dev gpu.Device, plan *kernels.Plan, bound *kernels.Bound, src frame.Layout, tables gpu.Addr) {
	up, down := b.host(dev, gpu.Pinned, src.Size), b.host(dev, gpu.Pinned, plan.OutLayout.Size)
	in, out := b.device(dev, src.Size), b.device(dev, plan.OutLayout.Size)
	scratch := make([]gpu.Addr, 0, len(plan.Scratch))
	for _, n := range plan.Scratch {
		if s := b.device(dev, n); s != nil {
			scratch = append(scratch, s.Addr())
		}
	}
	b.streams = append(b.streams, b.stream(dev))
	if b.err != nil {
		return
	}
	b.lists.Copy(gpu.OpCopyH2D, in.Addr(), up.Addr(), src.Size)
	bound.Record(&b.lists, kernels.At(src, in.Addr()), kernels.At(plan.OutLayout, out.Addr()), scratch, tables)
	b.lists.Copy(gpu.OpCopyD2H, down.Addr(), out.Addr(), plan.OutLayout.Size)
}

// run returns frames per second over n frames.
func (b *bare) run(ctx context.Context, n int) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	d, err := b.dev.Loop(b.streams, &b.lists, b.each, n)
	if err != nil {
		return 0, err
	}
	return float64(n) / d.Seconds(), nil
}
