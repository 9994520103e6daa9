package wddm_test

import (
	"errors"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

func TestPassesThrough(t *testing.T) {
	dev := &fakeDevice{}
	p, _ := wddm.Lookup("article-model")
	c, err := wddm.Emulate(dev, p, wddm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Info() != dev.Info() {
		t.Error("Info is not the device's")
	}
	if _, err := c.NewStream(); !errors.Is(err, gpu.ErrUnsupported) {
		t.Error("NewStream is not the device's")
	}
	b, err := c.AllocHost(4096, gpu.Mapped)
	if err != nil || b.Kind() != gpu.Mapped || b.Bytes() != 4096 || b.DeviceAddr() != 4096 {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := c.AllocHost(0, gpu.Pinned); err == nil {
		t.Error("no bytes are an error of the device")
	}
	if _, err := c.Alloc(-1); err == nil {
		t.Error("no bytes are an error of the device")
	}
	if err := c.Close(); err != nil || !dev.closed {
		t.Errorf("closed %v, %v", dev.closed, err)
	}
}

// A device that fails leaves nothing in the books.
func TestFailuresOfTheDevice(t *testing.T) {
	dev := &fakeDevice{}
	p, _ := wddm.Parse("article-model,reclaim=0")
	c, err := wddm.Emulate(dev, p, wddm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	before := c.Snapshot()
	dev.failHost = errors.New("the real driver says no")
	for _, alloc := range []func() error{
		func() error { _, err := c.AllocHost(1<<20, gpu.Pinned); return err },
		func() error { _, err := c.Alloc(1 << 20); return err },
	} {
		if err := alloc(); err != dev.failHost {
			t.Errorf("%v", err)
		}
	}
	if c.Snapshot() != before || c.Counts().Allocs != 0 {
		t.Errorf("%+v", c.Snapshot())
	}
	dev.failHost = nil
	b, err := c.AllocHost(1<<20, gpu.Pinned)
	if err != nil {
		t.Fatal(err)
	}
	dev.failFree = errors.New("not now")
	if err := b.Free(); err != dev.failFree {
		t.Error(err)
	}
	if c.Snapshot() == before {
		t.Error("what could not be freed is not charged any more")
	}
	dev.failFree = nil
	for range 3 { // idempotent
		if err := b.Free(); err != nil {
			t.Error(err)
		}
	}
	if c.Snapshot() != before || c.Counts().Frees != 1 {
		t.Errorf("%+v", c.Snapshot())
	}
}

// On the wall clock memory comes back after the delay, whatever the frames do.
func TestWallClock(t *testing.T) {
	var now time.Duration
	c := open(t, "article-video,clock=wall,reclaim=2s", wddm.Options{Now: func() time.Duration { return now }})
	before := c.Snapshot().Domain
	b, err := c.AllocHost(frameBytes, gpu.Pinned)
	if err != nil {
		t.Fatal(err)
	}
	now = time.Second
	b.Free()
	for at, pending := range map[time.Duration]int64{time.Second: 6320333, 2999 * time.Millisecond: 6320333} {
		now = at
		if got := c.Snapshot().Domain[budget.DeviceLocal]; got.Pending != pending || got.Usage == before[budget.DeviceLocal].Usage {
			t.Errorf("at %v: %+v", at, got)
		}
	}
	now = 3 * time.Second
	if got := c.Snapshot().Domain; got != before {
		t.Errorf("after the delay: %+v", got)
	}
}

func TestPressure(t *testing.T) {
	var now time.Duration
	c := open(t, "article-model,clock=wall,pressure=1GB@5s+10s,pressure=100MB@7", wddm.Options{Now: func() time.Duration { return now }})
	base := localUsage(c)
	for _, x := range []struct {
		at   time.Duration
		want int64
	}{{4999 * time.Millisecond, 0}, {5 * time.Second, 1e9}, {7 * time.Second, 1100e6}, {15 * time.Second, 100e6}, {time.Hour, 100e6}} {
		now = x.at
		if got := localUsage(c) - base; got != x.want {
			t.Errorf("at %v the pressure is %d, want %d", x.at, got, x.want)
		}
	}
	now = 8 * time.Second // of a new card: time does not go back
	c = open(t, "article-model,clock=wall,pressure=1GB@5s+10s,pressure=100MB@7", wddm.Options{Now: func() time.Duration { return now }})
	if _, err := c.Alloc(400e6); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("under pressure: %v", err)
	}
	now = 20 * time.Second
	if _, err := c.Alloc(400e6); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// ballast pretends to be a card whose driver refuses beyond a size.
type ballast struct {
	limit, held, most int64
	closed            bool
}

func (b *ballast) Name() string { return "ballast" }
func (b *ballast) Hold(n int64) error {
	if n > b.limit {
		return &gpu.OutOfMemoryError{Call: "cuMemAlloc", Code: 2, Requested: n - b.held}
	}
	b.held, b.most = n, max(b.most, n)
	return nil
}
func (b *ballast) Close() error { b.closed = true; return nil }

// With a backend the driver refuses, not the ledger, and its words are passed on.
func TestBackend(t *testing.T) {
	p, err := wddm.Parse("article-video,mode=ballast,clock=media")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wddm.Emulate(&fakeDevice{}, p, wddm.Options{}); err == nil {
		t.Error("ballast without a backend is accepted")
	}
	b := &ballast{limit: 7e9}
	c, err := wddm.Emulate(&fakeDevice{}, p, wddm.Options{Backend: b})
	if err != nil {
		t.Fatal(err)
	}
	c.Start(30, 1)
	if b.held != 6550e6 {
		t.Errorf("at first the backend holds %d", b.held)
	}
	failed, err := churn(t, c, 900)
	if failed != 71 { // (7.0 - 6.55) GB / 6,320,333
		t.Errorf("fails at frame %d: %v", failed, err)
	}
	var oom *gpu.OutOfMemoryError
	var why *wddm.Refusal
	if !errors.As(err, &oom) || oom.Call != "cuMemAlloc" || !errors.As(err, &why) || why.Err == nil {
		t.Errorf("%v", err)
	}
	if b.held != localUsage(c) {
		t.Errorf("the backend holds %d, %d is in use", b.held, localUsage(c))
	}
	if err := c.Wait(t.Context(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(nil); err != nil || b.held != 6550e6 {
		t.Errorf("after the reclaim the backend holds %d, %v", b.held, err)
	}
	if err := c.Close(); err != nil || !b.closed {
		t.Errorf("closed %v, %v", b.closed, err)
	}
}
