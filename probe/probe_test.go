package probe_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
)

// emulated is a rig on an emulated card with nothing behind it.
func emulated(t testing.TB, text string) (*probe.Rig, *wddm.Card) {
	t.Helper()
	p, err := wddm.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := wddm.Emulate(probe.Paper(), p, wddm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	c.Start(30, 1)
	return &probe.Rig{Device: c, Meters: []budget.Meter{c}, Clock: c}, c
}

// local is the trace of the card's own memory.
func local(t testing.TB, traces []probe.Trace) *probe.Trace {
	t.Helper()
	for i := range traces {
		if traces[i].Domain == budget.DeviceLocal {
			return &traces[i]
		}
	}
	t.Fatalf("no meter of the card in %+v", traces)
	return nil
}

// The article's table of growth, and of nothing for pageable memory; the profile's delay.
func TestTheArticlesGrowth(t *testing.T) {
	r, _ := emulated(t, "article-model,resident=0")
	rows, err := r.Sizes(context.Background(), probe.DefaultSizes(), probe.DefaultKinds())
	if err != nil {
		t.Fatal(err)
	}
	article := map[int64]float64{128: 130, 256: 260, 512: 520, 1024: 1.05 * 1024, 2048: 2.1 * 1024}
	if len(rows) != 25 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		if row.Skipped != "" || row.Err != nil {
			t.Errorf("%v of %d: %s, %v", row.Kind, row.Bytes, row.Skipped, row.Err)
			continue
		}
		l := local(t, row.Traces)
		grown := float64(l.Growth()) / (1 << 20)
		switch row.Kind {
		case gpu.Pageable, gpu.Managed:
			if grown != 0 || l.Watched {
				t.Errorf("%v of %d bytes: %.1f MiB more in use", row.Kind, row.Bytes, grown)
			}
			continue
		}
		want := article[row.Bytes>>20]
		if math.Abs(grown/want-1) > 0.01 {
			t.Errorf("%v of %d MiB: %.1f MiB more in use, the article has %.1f", row.Kind, row.Bytes>>20, grown, want)
		}
		if l.Freed != l.Held {
			t.Errorf("%v of %d: usage fell with the free already", row.Kind, row.Bytes)
		}
		if !l.Returned || l.After < 10*time.Second || l.After > 10*time.Second+l.Resolution {
			t.Errorf("%v of %d MiB: returned %v after %v (to %v), the profile says 10 s", row.Kind, row.Bytes>>20, l.Returned, l.After, l.Resolution)
		}
	}
}

// The watch is bounded: what does not come back in time is said not to have.
func TestWatchIsBounded(t *testing.T) {
	r, c := emulated(t, "article-model,resident=0,reclaim=61s")
	rows, err := r.Sizes(context.Background(), []int64{budget.GiB}, []gpu.HostKind{gpu.Pinned})
	if err != nil {
		t.Fatal(err)
	}
	if l := local(t, rows[0].Traces); !l.Watched || l.Returned {
		t.Errorf("%+v", l)
	}
	if passed := c.Now(); passed < time.Minute || passed > 61*time.Second {
		t.Errorf("watched for %v", passed)
	}
}

func TestNonLocalIsToldApart(t *testing.T) {
	r, _ := emulated(t, "nonlocal-32g,sticky=off")
	rows, err := r.Sizes(context.Background(), []int64{256 * budget.MiB}, []gpu.HostKind{gpu.Pinned})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rows[0].Traces {
		if charged := probe.Charged(x.Growth(), rows[0].Bytes); charged != (x.Domain != budget.DeviceLocal) {
			t.Errorf("%s: %d bytes more", x.Source, x.Growth())
		}
	}
}

// What cannot fit is not tried, so that a card that remembers a refusal does not get one.
func TestARefusalIsNotProvoked(t *testing.T) {
	r, c := emulated(t, "article-video")
	rows, err := r.Sizes(context.Background(), probe.DefaultSizes(), []gpu.HostKind{gpu.Pinned})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if tried := row.Skipped == ""; tried != (row.Bytes <= 512*budget.MiB) {
			t.Errorf("%d MiB: skipped %q", row.Bytes>>20, row.Skipped)
		}
	}
	if n := c.Counts().Refusals; n != 0 {
		t.Errorf("%d refusals", n)
	}
}

// A first size that is refused ends its kind, and on a card that remembers it, all pinned kinds.
func TestARefusalIsAResult(t *testing.T) {
	r, _ := emulated(t, "article-video,headroom=100MB")
	rows, err := r.Sizes(context.Background(), probe.DefaultSizes()[:2], []gpu.HostKind{gpu.Pinned, gpu.Pageable, gpu.Registered})
	if err != nil {
		t.Fatal(err)
	}
	if !errors.Is(rows[0].Err, gpu.ErrOutOfMemory) || rows[1].Skipped == "" || rows[2].Err != nil || rows[3].Err != nil || rows[4].Skipped == "" {
		t.Errorf("%+v", rows)
	}
}

// Nothing takes more than a third of the free host memory.
func TestAThirdOfTheHostsMemory(t *testing.T) {
	r, _ := emulated(t, "article-model,resident=0,ram=32GB,ram-others=30.5GB")
	rows, err := r.Sizes(context.Background(), probe.DefaultSizes(), []gpu.HostKind{gpu.Pageable})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if tried := row.Skipped == ""; tried != (row.Bytes <= 500*budget.MB) {
			t.Errorf("%d MiB: skipped %q", row.Bytes>>20, row.Skipped)
		}
	}
}

// The article's case study: churn fails near frame 156, three buffers that are reused do not.
func TestChurnAndReuse(t *testing.T) {
	r, _ := emulated(t, "article-video")
	reuse, err := r.Churn(context.Background(), probe.ChurnOptions{Reuse: true, Frames: 100})
	if err != nil || reuse.Err != nil || reuse.Done != 100 {
		t.Fatalf("%+v, %v", reuse, err)
	}
	if s := probe.Slope(reuse.Lines[0].Points); s != 0 {
		t.Errorf("reuse grows by %v bytes a frame", s)
	}
	c, err := r.Churn(context.Background(), probe.ChurnOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if c.FailedAt != 156 || !errors.Is(c.Err, gpu.ErrOutOfMemory) || c.Done != 156 {
		t.Errorf("churn fails at frame %d: %v", c.FailedAt, c.Err)
	}
	line := c.Lines[0].Points
	if s := probe.Slope(line); math.Abs(s/6320333-1) > 0.01 {
		t.Errorf("slope %v bytes a frame", s)
	}
	if last := line[len(line)-1]; last.Usage-line[0].Usage < 900*budget.MB || last.At < 5*time.Second || last.At > 5300*time.Millisecond {
		t.Errorf("at the end %+v", last)
	}
	if l := local(t, c.Traces); !l.Returned || l.After < 9*time.Second || l.After > 11*time.Second {
		t.Errorf("returned after %v: %+v", l.After, l)
	}
}

// On the wall clock frames come at the rate, on a card whose clock is the wall's, too.
func TestChurnKeepsTheRate(t *testing.T) {
	r, _ := emulated(t, "article-model,resident=0,clock=wall,reclaim=0s")
	began := time.Now()
	c, err := r.Churn(context.Background(), probe.ChurnOptions{Frames: 21, Rate: 100})
	if err != nil || c.Done != 21 {
		t.Fatalf("%+v, %v", c, err)
	}
	if d := time.Since(began); d < 200*time.Millisecond {
		t.Errorf("21 frames at 100 a second took %v", d)
	}
}

// Pinned memory makes the largest device allocation smaller, pageable memory does not.
func TestRoom(t *testing.T) {
	r, _ := emulated(t, "article-model")
	m, err := r.Room(context.Background(), budget.GiB)
	if err != nil || m.Err != nil {
		t.Fatal(err, m.Err)
	}
	if lost := m.Nothing - m.Pinned; m.Pageable != m.Nothing || lost < 1127*budget.MB-4*budget.MiB || lost > 1128*budget.MB+4*budget.MiB {
		t.Errorf("%+v", m)
	}
}

func TestSlope(t *testing.T) {
	for _, c := range []struct {
		usage []int64
		want  float64
	}{{nil, 0}, {[]int64{5}, 0}, {[]int64{1, 3, 5, 7}, 2}, {[]int64{0, 10, 0, 10}, 2}, {[]int64{4, 4, 4}, 0}} {
		var points []probe.Point
		for i, u := range c.usage {
			points = append(points, probe.Point{Frame: int64(i), Usage: u})
		}
		if got := probe.Slope(points); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: slope %v, want %v", c.usage, got, c.want)
		}
	}
}
