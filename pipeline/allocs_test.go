//go:build linux && cgo

package pipeline_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// counter is a sink that reads the heap's counter of allocations twice.
type counter struct {
	from, to      int64 // frames
	before, after runtime.MemStats
}

func (c *counter) Format(f frame.PixelFormat) frame.PixelFormat { return f }
func (c *counter) FollowsSize() bool                            { return true }
func (c *counter) MaxHeld() int                                 { return 0 }
func (c *counter) Partial()                                     {}
func (c *counter) Finish(context.Context) error                 { return nil }

func (c *counter) Write(_ context.Context, f *frame.Frame) error {
	switch f.Index {
	case c.from:
		runtime.ReadMemStats(&c.before)
	case c.to:
		runtime.ReadMemStats(&c.after)
	}
	f.Release()
	return nil
}

// ringPath sends frames from memory over the ring and gives the allocations between two of them.
func ringPath(tb testing.TB, dev gpu.Device, chain string, from, to int64) uint64 {
	tb.Helper()
	staging := transfer.New(dev, transfer.Params{InFlight: 4})
	src := frametest.NewSource(tb, small, 4)
	cycle, err := pipeline.NewCycle(tb.Context(), src, 4, to+100)
	if err != nil {
		tb.Fatal(err)
	}
	c := &counter{from: from, to: to}
	_, err = pipeline.Run(tb.Context(), pipeline.Params{
		Source: cycle, Sink: c, Device: dev, Staging: staging, Chain: parse(tb, chain), InFlight: 4,
	})
	cycle.Close()
	if cerr := staging.Close(); err != nil || cerr != nil {
		tb.Fatal(err, cerr)
	}
	return c.after.Mallocs - c.before.Mallocs
}

// In its steady state the ring path allocates nothing on the Go heap: neither where host memory is
// the device's, nor where frames are copied both ways. The runtime's own few (a goroutine's wait, a
// timer) are far below one in a hundred frames.
func TestRingPathDoesNotAllocate(t *testing.T) {
	const frames = 4000
	devices(t, func(t *testing.T, dev gpu.Device) {
		for _, chain := range []string{"format=rgb24", "scale=40:24,unsharp,eq=gamma=1.3,negate"} {
			n := ringPath(t, dev, chain, 500, 500+frames)
			t.Logf("%s: %d allocations in %d frames", chain, n, frames)
			if n*100 >= frames {
				t.Errorf("%s: %d allocations in %d frames", chain, n, frames)
			}
		}
	})
}

// BenchmarkRingPath is a frame's way from memory to memory, as far as Go is concerned: the pictures
// are tiny.
func BenchmarkRingPath(b *testing.B) {
	dev := gpu.Discrete(open(b))
	b.ReportAllocs()
	ringPath(b, dev, "format=rgb24", 0, int64(b.N))
}
