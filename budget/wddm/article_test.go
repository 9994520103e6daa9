package wddm_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

// frameBytes is the article's buffer: 1920 × 1080 pixels of 3 bytes.
const frameBytes = 1920 * 1080 * 3

// localUsage is what nvidia-smi would show.
func localUsage(c *wddm.Card) int64 { return c.Snapshot().Domain[budget.DeviceLocal].Usage }

// churn allocates and frees a pinned buffer for each frame until one is refused.
func churn(t testing.TB, c *wddm.Card, frames int64) (failedAt int64, err error) {
	t.Helper()
	for n := range frames {
		if err := c.Begin(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		b, err := c.AllocHost(frameBytes, gpu.Pinned)
		if err != nil {
			return n, err
		}
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
		c.End(n)
	}
	return -1, nil
}

// The case study: churn fails at one frame, near 156, with nearly 1 GB more in use than reuse.
func TestArticleVideo(t *testing.T) {
	reuse := open(t, "article-video", wddm.Options{})
	before := localUsage(reuse)
	var ring []gpu.HostBuffer
	for range 3 {
		b, err := reuse.AllocHost(frameBytes, gpu.Pinned)
		if err != nil {
			t.Fatal(err)
		}
		ring = append(ring, b)
	}
	reuse.Start(30, 1)
	flat := localUsage(reuse)
	for n := range int64(900) {
		if err := reuse.Begin(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		if got := localUsage(reuse); got != flat {
			t.Fatalf("reuse is not flat: %d at frame %d, %d at first", got, n, flat)
		}
		reuse.End(n)
	}
	if grown := flat - before; grown != 3*6320333 {
		t.Errorf("the ring is charged %d", grown)
	}
	for _, b := range ring {
		b.Free()
	}

	c := open(t, "article-video", wddm.Options{})
	c.Start(30, 1)
	failed, err := churn(t, c, 900)
	const want = 156
	if failed != want {
		t.Errorf("churn fails at frame %d, want %d", failed, want)
	}
	more := float64(localUsage(c)-flat) / 1e9
	if more < 0.9 || more > 1.05 {
		t.Errorf("churn has %.3f GB more in use than reuse", more)
	}
	var oom *gpu.OutOfMemoryError
	var why *wddm.Refusal
	if !errors.Is(err, gpu.ErrOutOfMemory) || !errors.As(err, &oom) || !errors.As(err, &why) {
		t.Fatal(err)
	}
	if oom.Code != 2 || oom.Call != "cuMemHostAlloc (emulated)" || oom.Requested != frameBytes {
		t.Errorf("%+v", oom)
	}
	if why.Frame != want || why.Domain != budget.DeviceLocal || why.Usage != localUsage(c) || why.Usage+why.Charge <= why.Budget ||
		why.Pending != 149*6320333 { // all but the seven frames that are booked to be in flight
		t.Errorf("%+v", why)
	}
	for _, s := range []string{"emulated", "article-video", "freed but not reclaimed", "device memory"} {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not say %q", err, s)
		}
	}
	// Sticky: what would fit later is refused as well. Pageable memory is not.
	if err := c.Wait(context.Background(), 20e9); err != nil {
		t.Fatal(err)
	}
	if _, err := c.AllocHost(frameBytes, gpu.Pinned); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("after the refusal: %v", err)
	}
	if _, err := c.AllocHost(frameBytes, gpu.Pageable); err != nil {
		t.Errorf("pageable memory: %v", err)
	}
}

// What the set-up takes for good does not move the failing frame.
func TestSetUpDoesNotMoveTheFailingFrame(t *testing.T) {
	for _, extra := range []int{0, 1, 50, 300} {
		for _, start := range []bool{true, false} {
			c := open(t, "article-video", wddm.Options{})
			for range extra {
				if _, err := c.AllocHost(1<<20, gpu.Pinned); err != nil {
					t.Fatal(err)
				}
				if _, err := c.Alloc(10 << 10); err != nil {
					t.Fatal(err)
				}
			}
			if start {
				c.Start(30, 1)
			}
			if failed, _ := churn(t, c, 900); failed != 156 {
				t.Errorf("with %d MiB of set-up (Start called: %v) churn fails at frame %d", extra, start, failed)
			}
		}
	}
}

// The symptom: pinning 1 GiB shows 7.6 GB in use, and a 512 MiB tensor no longer fits; with pageable
// memory it does.
func TestArticleModel(t *testing.T) {
	for _, kind := range []gpu.HostKind{gpu.Pinned, gpu.Pageable} {
		c := open(t, "article-model", wddm.Options{})
		if _, err := c.AllocHost(1<<30, kind); err != nil {
			t.Fatal(err)
		}
		info, err := c.MemInfo()
		if err != nil {
			t.Fatal(err)
		}
		used := float64(info.Total-info.Free) / 1e9
		_, err = c.Alloc(512 << 20)
		if kind == gpu.Pageable {
			if err != nil || math.Abs(used-6.55) > 0.001 {
				t.Errorf("pageable: %.2f GB used, %v", used, err)
			}
			continue
		}
		if math.Abs(used-7.6) > 0.1 {
			t.Errorf("%.2f GB used, want 7.6 ± 0.1", used)
		}
		var oom *gpu.OutOfMemoryError
		if !errors.As(err, &oom) || oom.Call != "cuMemAlloc (emulated)" {
			t.Errorf("the tensor: %v", err)
		}
		if _, err := c.Alloc(128 << 20); err != nil {
			t.Errorf("a smaller one, which fits: %v", err)
		}
	}
}

// The article's table.
func TestGrowth(t *testing.T) {
	for _, row := range []struct{ bytes, growth float64 }{
		{128e6, 130e6}, {256e6, 260e6}, {512e6, 520e6}, {1e9, 1.05e9}, {2e9, 2.1e9},
		{128 << 20, 130 << 20}, {256 << 20, 260 << 20}, {512 << 20, 520 << 20}, {1 << 30, 1.05 * (1 << 30)}, {2 << 30, 2.1 * (1 << 30)},
	} {
		c := open(t, "article-model,resident=0", wddm.Options{})
		before, err := c.MemInfo()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.AllocHost(int(row.bytes), gpu.Pinned); err != nil {
			t.Fatal(err)
		}
		after, _ := c.MemInfo()
		if got := float64(before.Free - after.Free); math.Abs(got-row.growth) > row.growth/100 {
			t.Errorf("pinning %.0f bytes grows by %.0f, the article has %.0f", row.bytes, got, row.growth)
		}
		c = open(t, "article-model,resident=0", wddm.Options{})
		if _, err := c.AllocHost(int(row.bytes), gpu.Pageable); err != nil {
			t.Fatal(err)
		}
		if after, _ := c.MemInfo(); after != before {
			t.Errorf("pageable memory of %.0f bytes grows the usage", row.bytes)
		}
	}
}

func TestCard24G(t *testing.T) {
	c := open(t, "card-24g", wddm.Options{})
	c.Start(30, 1)
	if failed, err := churn(t, c, 3000); failed >= 0 {
		t.Errorf("churn fails at frame %d: %v", failed, err)
	}
	p := c.Params()
	f := p.Forecast(frameBytes, gpu.Pinned, 30, 1)
	if f.FailsAt != -1 || f.Peak >= f.Headroom {
		t.Errorf("%+v", f)
	}
	d := c.Snapshot().Domain[budget.DeviceLocal]
	if got := d.Live + d.Pending - p.Context; got != f.Peak {
		t.Errorf("%d charged at the end, the forecast is %d", got, f.Peak)
	}
}

func TestNonLocal32G(t *testing.T) {
	c := open(t, "nonlocal-32g", wddm.Options{})
	c.Start(30, 1)
	before := localUsage(c)
	failed, err := churn(t, c, 900)
	var why *wddm.Refusal
	if !errors.As(err, &why) || why.Domain != budget.DeviceShared || failed <= 0 {
		t.Errorf("frame %d: %v", failed, err)
	}
	if localUsage(c) != before {
		t.Error("LOCAL was charged")
	}
	readings, err := c.Read(nil)
	if err != nil {
		t.Fatal(err)
	}
	if w, _ := budget.Worst(readings); w.Domain != budget.DeviceShared || !w.Emulated || !strings.Contains(w.Twin, "Shared") {
		t.Errorf("the limit is %v", w)
	}
	// Reuse names it too.
	r := open(t, "nonlocal-32g", wddm.Options{})
	readings, _ = r.Read(nil)
	if w, _ := budget.Worst(readings); w.Domain != budget.DeviceShared {
		t.Errorf("the limit of a fresh card is %v", w)
	}
}

func TestSegments(t *testing.T) {
	for segment, want := range map[string][2]bool{"local": {true, false}, "nonlocal": {false, true}, "both": {true, true}} {
		c := open(t, "card-24g,segment="+segment, wddm.Options{})
		before := c.Snapshot()
		if _, err := c.AllocHost(100<<20, gpu.Pinned); err != nil {
			t.Fatal(err)
		}
		after := c.Snapshot()
		for i, d := range []budget.Domain{budget.DeviceLocal, budget.DeviceShared} {
			if grew := after.Domain[d].Usage > before.Domain[d].Usage; grew != want[i] {
				t.Errorf("segment=%s: %s grew: %v", segment, d, grew)
			}
		}
		if after.Domain[budget.HostRAM].Usage-before.Domain[budget.HostRAM].Usage != 100<<20 {
			t.Error("host RAM is not counted")
		}
	}
}

func TestChargeByKind(t *testing.T) {
	p, err := wddm.Parse("article-model,managed=0.25,mapped=0.5")
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[gpu.HostKind]int64{gpu.Pinned: 1016, gpu.Registered: 1016, gpu.WriteCombined: 1016,
		gpu.Mapped: 508, gpu.Managed: 254, gpu.Pageable: 0} {
		if got := p.Charge(1000, kind); got != want {
			t.Errorf("%v: %d, want %d", kind, got, want)
		}
	}
	if got := p.Ratio(768 << 20); math.Abs(got-1.033) > 1e-9 {
		t.Errorf("half way between the two ratios: %v", got)
	}
}

// Two private cards do not know of each other.
func TestPrivateCardsDoNotDisturbEachOther(t *testing.T) {
	a, b := open(t, "article-video", wddm.Options{}), open(t, "article-video", wddm.Options{})
	a.Start(30, 1)
	b.Start(30, 1)
	churn(t, a, 900)
	if failed, _ := churn(t, b, 900); failed != 156 {
		t.Errorf("the second fails at frame %d", failed)
	}
}
