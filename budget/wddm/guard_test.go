package wddm_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

// guarded churns behind a guard, with up to lanes frames in flight, as a pipeline does.
func guarded(t testing.TB, spec string, cfg budget.Config, frames int64, lanes int) (*wddm.Card, budget.Summary, int64, error) {
	t.Helper()
	c := open(t, spec, wddm.Options{})
	c.Start(30, 1)
	panel := budget.NewPanel()
	panel.Attach(c, 0)
	cfg.MaxInFlight = lanes
	g, err := budget.NewGuard(cfg, panel, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	for n := range frames {
		if err := g.Admit(context.Background(), n, frameBytes); err != nil {
			wg.Wait()
			return c, g.Summary(), n, err
		}
		kind := gpu.Pinned
		if g.Level() == budget.Pageable {
			kind = gpu.Pageable
		}
		b, err := c.AllocHost(frameBytes, kind)
		if err != nil {
			g.Done(n)
			wg.Wait()
			return c, g.Summary(), n, err
		}
		g.Allocated(n)
		wg.Go(func() {
			b.Free()
			g.Done(n)
		})
	}
	wg.Wait()
	return c, g.Summary(), frames, nil
}

// best is the shortest time in which any guard could admit that many frames: each as soon as the
// bytes fit, at the rate of the media at most.
func best(frames int64, charge, room int64, rate int64, inFlight int64, reclaim time.Duration) time.Duration {
	fit := room / charge
	at := make([]time.Duration, frames)
	occupied := reclaim + time.Duration(inFlight)*time.Second/time.Duration(rate)
	for n := range frames {
		if n > 0 {
			at[n] = at[n-1] + time.Second/time.Duration(rate)
		}
		if n >= fit {
			at[n] = max(at[n], at[n-fit]+occupied)
		}
	}
	return at[frames-1]
}

// Churn that fails without the guard finishes with it.
func TestGuardSavesChurn(t *testing.T) {
	const charge = 6320333
	for _, frames := range []int64{300, 900, 1800} {
		cfg := budget.DefaultConfig()
		c, s, done, err := guarded(t, "article-video", cfg, frames, 1)
		if err != nil || done != frames {
			t.Fatalf("%d of %d frames: %v", done, frames, err)
		}
		hard := cfg.Marks[budget.DeviceLocal].Hard.Of(s.Limiting.Budget)
		if s.Limiting.Headroom < hard || s.Limiting.Domain != budget.DeviceLocal {
			t.Errorf("%d frames: the lowest headroom is %v; the hard mark is %d", frames, s.Limiting, hard)
		}
		if len(s.Transitions) < 2 || s.Transitions[0].To != budget.Throttle || s.Transitions[1].To != budget.Hold {
			t.Errorf("%d frames: throttle does not come before hold: %v", frames, s.Transitions)
		}
		p := c.Params()
		minimum := best(frames, charge, p.Headroom-hard, 30, int64(p.InFlight), p.Reclaim)
		took := c.Now()
		if took.Seconds() > 1.05*minimum.Seconds() {
			t.Errorf("%d frames take %v; the best possible is %v", frames, took, minimum)
		}
		// Bytes beyond the headroom ÷ reclaim rate. Short clips are bound by their own length.
		rough := float64(frames*charge-p.Headroom) / (float64(p.Headroom) / p.Reclaim.Seconds())
		if frames >= 900 && took.Seconds() > 1.25*rough {
			t.Errorf("%d frames take %v, more than 1.25 × %.1f s", frames, took, rough)
		}
		t.Logf("%d frames: %.1f s, best possible %.1f s, bytes beyond headroom ÷ reclaim rate %.1f s (× %.2f); lowest headroom %d; %d transitions",
			frames, took.Seconds(), minimum.Seconds(), rough, took.Seconds()/rough, s.Limiting.Headroom, len(s.Transitions))
	}
}

// The same decisions at the same frames, for every degree of concurrency.
func TestGuardIsDeterministic(t *testing.T) {
	_, want, _, err := guarded(t, "article-video", budget.DefaultConfig(), 600, 4)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		_, got, _, err := guarded(t, "article-video", budget.DefaultConfig(), 600, 4)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Transitions, want.Transitions) || got.Throttled != want.Throttled || got.Limiting != want.Limiting {
			t.Fatalf("%+v\n%+v", got, want)
		}
	}
}

// Watching alone warns at least a second before the failure.
func TestObserveWarnsInTime(t *testing.T) {
	cfg := budget.DefaultConfig()
	cfg.Mode = budget.Observe
	c, s, failed, err := guarded(t, "article-video", cfg, 900, 3)
	if failed != 156 || !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Fatalf("frame %d: %v", failed, err)
	}
	if len(s.Transitions) == 0 || c.Now()-s.Transitions[0].At < time.Second {
		t.Errorf("failed at %v, warned %v", c.Now(), s.Transitions)
	}
	if c.Now() != 156*time.Second/30 {
		t.Errorf("observing took time: %v", c.Now())
	}
}

// Reuse takes nothing per frame: the guard has nothing to say.
func TestGuardDoesNotSlowReuse(t *testing.T) {
	for _, spec := range []string{"article-video", "article-model", "card-24g", "nonlocal-32g"} {
		c := open(t, spec, wddm.Options{})
		for range 8 {
			if _, err := c.AllocHost(frameBytes, gpu.Pinned); err != nil {
				t.Fatal(err)
			}
		}
		c.Start(30, 1)
		panel := budget.NewPanel()
		panel.Attach(c, 0)
		g, err := budget.NewGuard(budget.DefaultConfig(), panel, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range int64(900) {
			if err := g.Admit(context.Background(), n, 0); err != nil {
				t.Fatal(err)
			}
			g.Done(n)
		}
		if s := g.Summary(); s.Throttled != 0 || len(s.Transitions) != 0 || c.Now() != 899*time.Second/30 {
			t.Errorf("%s: throttled %v, %v", spec, s.Throttled, s.Transitions)
		}
	}
}

// Outside pressure in the middle of a run.
func TestPolicies(t *testing.T) {
	const spec = "article-model,reclaim=1s,pressure=1.35GB@2s+10s"
	policy := func(p budget.Policy) budget.Config {
		cfg := budget.DefaultConfig()
		cfg.Policy = p
		return cfg
	}
	c, s, done, err := guarded(t, spec, policy(budget.Wait), 300, 3)
	if err != nil || done != 300 {
		t.Errorf("wait: %d frames, %v", done, err)
	}
	if s.Throttled < 5*time.Second || c.Now() < 15*time.Second {
		t.Errorf("wait: throttled %v of %v", s.Throttled, c.Now())
	}
	if last := s.Transitions[len(s.Transitions)-1]; last.To != budget.Clear {
		t.Errorf("wait: the end is %v", last)
	}

	_, s, done, err = guarded(t, spec, policy(budget.Fail), 300, 3)
	var e *budget.ExhaustedError
	if !errors.As(err, &e) || done < 60 || done > 100 || e.Frame != done || s.Frames != done {
		t.Errorf("fail: frame %d, %v", done, err)
	}
	if !strings.Contains(err.Error(), "emulated") {
		t.Errorf("fail: %q does not say that it is emulated", err)
	}

	c, s, done, err = guarded(t, spec, policy(budget.Degrade), 600, 3)
	if err != nil || done != 600 || c.Counts().Refusals != 0 {
		t.Errorf("degrade: %d frames, %v", done, err)
	}
	var levels []budget.Level
	for _, x := range s.Transitions {
		if len(levels) == 0 || levels[len(levels)-1] != x.Level {
			levels = append(levels, x.Level)
		}
	}
	want := []budget.Level{budget.Full, budget.Shrunk, budget.Pageable, budget.Shrunk, budget.Full}
	if !reflect.DeepEqual(levels, want) {
		t.Errorf("degrade: levels %v, want %v", levels, want)
	}

	// A pressure that never ends: the media clock does not spin for ever.
	_, _, _, err = guarded(t, "article-model,reclaim=1s,pressure=1.5GB@2s", policy(budget.Wait), 300, 3)
	if !errors.Is(err, budget.ErrExhausted) || !errors.Is(err, wddm.ErrNothingPending) {
		t.Errorf("without end: %v", err)
	}
}

// In real time, with a delay of two seconds; small sizes, so that it lasts only some seconds.
func TestGuardOnTheWallClock(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 5 s of real time")
	}
	cfg := budget.DefaultConfig()
	for d := range cfg.Marks {
		cfg.Marks[d] = budget.Marks{Soft: budget.Mark{Bytes: 40 * budget.MB}, Hard: budget.Mark{Bytes: 10 * budget.MB}}
	}
	const frames = 50
	c, s, done, err := guarded(t, "article-video,clock=wall,reclaim=2s,headroom=150MB", cfg, frames, 3)
	if err != nil || done != frames || c.Counts().Refusals != 0 {
		t.Errorf("%d frames, %v", done, err)
	}
	if s.Limiting.Headroom < 10*budget.MB || len(s.Transitions) == 0 {
		t.Errorf("lowest %v, transitions %v", s.Limiting, s.Transitions)
	}
}

func TestReadingDoesNotAllocate(t *testing.T) {
	c := open(t, "article-video", wddm.Options{})
	c.Start(30, 1)
	churn(t, c, 100)
	var buf []budget.Reading
	n := int64(100)
	frame := func() {
		if err := c.Begin(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		buf, _ = c.Read(buf[:0])
		c.End(n)
		n++
	}
	frame()
	if got := testing.AllocsPerRun(100, frame); got > 0 {
		t.Errorf("%v allocations per frame", got)
	}
}

// What a guarded frame costs on the card, without the memory.
func BenchmarkGuardedFrame(b *testing.B) {
	c := open(b, "card-24g", wddm.Options{})
	c.Start(30, 1)
	panel := budget.NewPanel()
	panel.Attach(c, 0)
	g, err := budget.NewGuard(budget.DefaultConfig(), panel, c, nil)
	if err != nil {
		b.Fatal(err)
	}
	churn(b, c, 400) // 300 buffers are pending
	b.ReportAllocs()
	for n := int64(400); b.Loop(); n++ {
		if err := g.Admit(context.Background(), n, 0); err != nil {
			b.Fatal(err)
		}
		g.Allocated(n)
		g.Done(n)
	}
}
