//go:build linux && cgo

package pipeline_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// dropping is a sink that lets go of every frame at once.
type dropping struct{ sink }

func (*dropping) Write(_ context.Context, f *frame.Frame) error { f.Release(); return nil }

// steady drives n small frames from memory over lent slots and returns the allocations that the whole
// run made.
func steady(t testing.TB, dev gpu.Device, n int64) uint64 {
	t.Helper()
	r := &rehearsal{info: small, chain: "negate", inFlight: 4}
	r.run(t, dev, n)
	return r.mallocs
}

// rehearsal is a run without decoder and encoder.
type rehearsal struct {
	info     frame.Info
	chain    string
	inFlight int
	mallocs  uint64 // made meanwhile
}

func (r *rehearsal) run(t testing.TB, dev gpu.Device, n int64) *pipeline.Result {
	t.Helper()
	s := transfer.New(dev, transfer.Params{InFlight: r.inFlight, Eager: true})
	src, home := inSlots(t, s, r.info, 4)
	cycle, err := pipeline.NewCycle(t.Context(), src, 4, n)
	if err != nil {
		t.Fatal(err)
	}
	chain, err := kernels.Parse(r.chain)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := pipeline.Run(t.Context(), pipeline.Params{Source: cycle, Sink: &dropping{}, Device: dev, Staging: s, Chain: chain, InFlight: r.inFlight})
	runtime.ReadMemStats(&after)
	if err != nil || res.Delivered != n || s.Copied() != 0 {
		t.Fatalf("%+v, %d copied, %v", res.Counters, s.Copied(), err)
	}
	cycle.Close()
	home()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r.mallocs = after.Mallocs - before.Mallocs
	return res
}

// inSlots gives frames that lie in lent slots, and a function that takes the slots back.
func inSlots(t testing.TB, s *transfer.Staging, info frame.Info, n int) (pipeline.Source, func()) {
	t.Helper()
	l, err := frame.NewLayout(info.Format, info.Width, info.Height, 32)
	if err != nil {
		t.Fatal(err)
	}
	var slots []*frame.Block
	if err := s.Lend(l, n, func(b *frame.Block) { slots = append(slots, b) }); err != nil {
		t.Fatal(err)
	}
	var q queue
	for i, b := range slots {
		f := &frame.Frame{}
		frametest.Place(f, info, b.Base, l, uint64(i))
		f.Block = b
		f.Arm(nowhere{})
		q = append(q, f)
	}
	return &q, func() {
		for _, b := range slots {
			s.Return(b)
		}
	}
}

type queue []*frame.Frame

func (q *queue) Next(context.Context) (*frame.Frame, error) {
	f := (*q)[0]
	*q = (*q)[1:]
	return f, nil
}

// In the steady state a frame costs the pipeline and the transfer path no allocation: twenty times the
// frames make no more of them, but for what the device's own test double and the runtime make.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	dev := gpu.Discrete(open(t))
	steady(t, dev, 200)
	few, many := steady(t, dev, 200), steady(t, dev, 4200)
	perFrame := float64(int64(many-few)) / 4000
	t.Logf("%d allocations in a run of 200 frames, %d in one of 4,200: %.3f a frame", few, many, perFrame)
	if perFrame > 0.05 {
		t.Errorf("%.3f allocations a frame", perFrame)
	}
}

// BenchmarkRing is the pipeline's own cost of a frame: the frames are tiny.
func BenchmarkRing(b *testing.B) {
	dev := gpu.Discrete(open(b))
	b.ReportAllocs()
	steady(b, dev, int64(b.N))
}

// BenchmarkRing1080p is the transfer path alone, for 3.1 MB up, a kernel, 6.2 MB down, by the number of
// frames in flight. It tells how long each step of a frame took on the device, so that what a frame
// takes can be compared with its longest step: what is more is time in which that engine was idle.
func BenchmarkRing1080p(b *testing.B) {
	info := frame.Info{Format: frame.YUV420P, Width: 1920, Height: 1080, TimeBase: small.TimeBase}
	for _, k := range kinds[1:] { // where there are copies
		for _, inFlight := range []int{2, 4, 8, 16} {
			b.Run(fmt.Sprintf("%s/in-flight-%d", k.name, inFlight), func(b *testing.B) {
				r := &rehearsal{info: info, chain: "format=rgb24", inFlight: inFlight}
				res := r.run(b, k.open(b), int64(b.N))
				for name, d := range map[string]time.Duration{"up": res.Busy.Upload, "kernel": res.Busy.Kernels, "down": res.Busy.Download} {
					b.ReportMetric(float64(d.Microseconds())/float64(b.N), name+"-us/frame")
				}
				b.ReportMetric(float64(b.N)/res.Seconds, "fps")
			})
		}
	}
}
