//go:build linux && cgo

package bench_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pinring/pinring/bench"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var small = bench.RingParams{Info: frame.Info{Format: frame.YUV420P, Width: 64, Height: 36}, Frames: 50, Churned: 10, Rounds: 2, InFlight: 3}

// card is a device with memory of its own; what is not freed fails its Close.
func card(t *testing.T, f gpu.Faults) *gpu.FailNth {
	d, err := cpu.Open(cpu.Options{Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return gpu.NewFailNth(gpu.Discrete(d), f)
}

// looped is a card with a bare loop, made of the calls that others make one by one.
type looped struct{ gpu.Device }

func (d looped) Loop(streams []gpu.Stream, lists *gpu.Commands, each, n int) (time.Duration, error) {
	began := time.Now()
	for i := range n {
		s := i % len(streams)
		list := gpu.Commands{List: lists.List[s*each : (s+1)*each], Args: lists.Args}
		if err := errors.Join(streams[s].Submit(&list), streams[s].Synchronize()); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

// everything runs each measurement once.
func everything(ctx context.Context, d gpu.Device) error {
	_, e1 := bench.MeasureCopies(ctx, d, gpu.Pinned, 4096)
	_, e2 := bench.MeasureAllocs(ctx, d, gpu.Registered, 4096, 3)
	_, e3 := bench.MeasureRing(ctx, d, small)
	_, e4 := bench.MeasureChain(ctx, d, "scale=32:18,format=rgb24", small.Info)
	return errors.Join(e1, e2, e3, e4)
}

func TestCopies(t *testing.T) {
	c, err := bench.MeasureCopies(t.Context(), card(t, gpu.Faults{}), gpu.Pinned, 1<<16)
	if err != nil || c.Up <= 0 || c.Down <= 0 || c.Both <= 0 {
		t.Errorf("%+v, %v", c, err)
	}
	p, err := bench.MeasureCopies(t.Context(), card(t, gpu.Faults{}), gpu.Pageable, 1<<16)
	if err != nil || p.Both != 0 {
		t.Errorf("pageable copies do not overlap: %+v, %v", p, err)
	}
}

func TestRingAndBareLoop(t *testing.T) {
	r, err := bench.MeasureRing(t.Context(), looped{card(t, gpu.Faults{})}, small)
	if err != nil {
		t.Fatal(err)
	}
	if r.UpBytes < 64*36*3/2 || r.DownBytes < 64*36*3 {
		t.Errorf("copies of %d and %d bytes are less than a picture", r.UpBytes, r.DownBytes)
	}
	if r.FPS <= 0 || r.Bare <= 0 || r.Churn <= 0 || r.Shares.Least > r.Shares.Median || r.Shares.Median > r.Shares.Most || r.OverChurn.Median <= 0 {
		t.Errorf("%+v", r)
	}
}

// TestUnified: where nothing is copied, no figure is made up.
func TestUnified(t *testing.T) {
	d, err := cpu.Open(cpu.Options{Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := bench.MeasureCopies(t.Context(), d, gpu.Pinned, 4096); !errors.Is(err, bench.ErrUnified) {
		t.Error(err)
	}
	if _, err := bench.MeasureRing(t.Context(), d, small); !errors.Is(err, bench.ErrUnified) {
		t.Error(err)
	}
}

// TestFailures lets each allocation, copy and launch fail in its turn: the error comes out, and
// everything that was made is freed.
func TestFailures(t *testing.T) {
	probe := card(t, gpu.Faults{})
	if err := everything(t.Context(), looped{probe}); err != nil {
		t.Fatal(err)
	}
	n := probe.Counts()
	for _, c := range []struct {
		what  string
		count int64
		fault func(int64) gpu.Faults
	}{
		{"host allocation", n.AllocHost, func(i int64) gpu.Faults { return gpu.Faults{AllocHost: i, Lasting: true} }},
		{"device allocation", n.Alloc, func(i int64) gpu.Faults { return gpu.Faults{Alloc: i, Lasting: true} }},
		{"copy", min(n.Copy, 400), func(i int64) gpu.Faults { return gpu.Faults{Copy: i, Lasting: true} }},
		{"launch", min(n.Launch, 200), func(i int64) gpu.Faults { return gpu.Faults{Launch: i, Lasting: true} }},
	} {
		for i := int64(1); i <= c.count; i += max(c.count/25, 1) {
			t.Run(fmt.Sprintf("%s %d", c.what, i), func(t *testing.T) {
				if err := everything(t.Context(), looped{card(t, c.fault(i))}); err == nil {
					t.Error("no error")
				}
			})
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := card(t, gpu.Faults{})
	_, e1 := bench.MeasureCopies(ctx, d, gpu.Pinned, 4096)
	_, e2 := bench.MeasureAllocs(ctx, d, gpu.Pinned, 4096, 3)
	_, e3 := bench.MeasureRing(ctx, d, small)
	_, e4 := bench.MeasureChain(ctx, d, "negate", small.Info)
	for i, err := range []error{e1, e2, e3, e4} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("measurement %d: %v", i, err)
		}
	}
}
