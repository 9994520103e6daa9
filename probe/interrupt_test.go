package probe_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
)

// counted is an emulated rig on a device that counts what is allocated.
func counted(t *testing.T, text string) (*probe.Rig, *gpu.Limit) {
	t.Helper()
	p, err := wddm.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	l := gpu.NewLimit(probe.Paper(), gpu.Caps{})
	c, err := wddm.Emulate(l, p, wddm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.Start(30, 1)
	return &probe.Rig{Device: c, Meters: []budget.Meter{c}, Clock: c}, l
}

var errStop = errors.New("the user has seen enough")

// Wherever an interrupt comes, everything is freed and its cause is what is returned.
func TestInterruptFreesEverything(t *testing.T) {
	experiments := map[string]func(ctx context.Context, r *probe.Rig) error{
		"sizes": func(ctx context.Context, r *probe.Rig) error {
			_, err := r.Sizes(ctx, probe.DefaultSizes(), probe.DefaultKinds())
			return err
		},
		"churn": func(ctx context.Context, r *probe.Rig) error {
			_, err := r.Churn(ctx, probe.ChurnOptions{})
			return err
		},
		"reuse": func(ctx context.Context, r *probe.Rig) error {
			_, err := r.Churn(ctx, probe.ChurnOptions{Reuse: true})
			return err
		},
		"room": func(ctx context.Context, r *probe.Rig) error {
			_, err := r.Room(ctx, budget.GiB)
			return err
		},
		"hold": func(ctx context.Context, r *probe.Rig) error {
			_, err := r.Hold(ctx, gpu.Pinned, budget.GiB, func(probe.Step) {})
			return err
		},
	}
	for name, run := range experiments {
		for _, reads := range []int{1, 2, 3, 7, 40, 400} {
			r, l := counted(t, "article-model,resident=0")
			ctx, cancel := context.WithCancelCause(context.Background())
			left := reads
			r.Meters = append(r.Meters, budget.MeterFunc("interrupter", budget.HostRAM, "", func() (int64, int64, error) {
				if left--; left == 0 {
					cancel(errStop)
				}
				return 1, 1 << 40, nil
			}))
			err := run(ctx, r)
			if left <= 0 && err != nil && !errors.Is(err, errStop) {
				t.Errorf("%s, interrupted at reading %d: %v", name, reads, err)
			}
			if use := l.InUse(); use != (gpu.Caps{}) {
				t.Errorf("%s, interrupted at reading %d: %+v is still allocated", name, reads, use)
			}
			cancel(nil)
		}
	}
}

// On the wall clock an interrupt ends the watch at once.
func TestInterruptEndsTheWatch(t *testing.T) {
	r, l := counted(t, "article-model,resident=0,clock=wall,reclaim=1h")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(50*time.Millisecond, func() { cancel(errStop) })
	_, err := r.Sizes(ctx, []int64{128 * budget.MiB}, []gpu.HostKind{gpu.Pinned})
	if !errors.Is(err, errStop) || l.InUse() != (gpu.Caps{}) {
		t.Errorf("%v, %+v", err, l.InUse())
	}
}

// The n-th allocation fails with something else than a lack of memory: it is said, and nothing is left.
func TestOtherFailures(t *testing.T) {
	lost := &gpu.DeviceError{Call: "cuMemHostAlloc", Code: 700, Message: "illegal address", Poisoned: true}
	for n := range 12 {
		l := gpu.NewLimit(probe.Paper(), gpu.Caps{})
		f := &nthFails{Device: l, n: n, err: lost}
		r := &probe.Rig{Device: f, Meters: nil, Clock: budget.NewWall(), Watch: time.Millisecond}
		_, err := r.Sizes(context.Background(), []int64{4096, 8192}, []gpu.HostKind{gpu.Pinned, gpu.Pageable})
		if want := n < 4; errors.As(err, new(*gpu.DeviceError)) != want {
			t.Errorf("allocation %d fails: %v", n, err)
		}
		if l.InUse() != (gpu.Caps{}) {
			t.Errorf("allocation %d fails: %+v is still allocated", n, l.InUse())
		}
	}
}

type nthFails struct {
	gpu.Device
	n   int
	err error
}

func (f *nthFails) AllocHost(bytes int, kind gpu.HostKind) (gpu.HostBuffer, error) {
	if f.n--; f.n < 0 {
		return nil, f.err
	}
	return f.Device.AllocHost(bytes, kind)
}
