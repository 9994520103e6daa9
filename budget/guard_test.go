package budget

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// handClock is moved by waiting only.
type handClock struct {
	mu    sync.Mutex
	now   time.Duration
	onto  func(now time.Duration) error // called after each wait
	ended []int64
}

func (c *handClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) Wait(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += d
	if c.onto != nil {
		return c.onto(c.now)
	}
	return nil
}

func (c *handClock) Begin(ctx context.Context, _ int64) error { return ctx.Err() }

func (c *handClock) End(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = append(c.ended, n)
}

func newGuard(t testing.TB, cfg Config, m Meter, c Clock, log *slog.Logger) *Guard {
	t.Helper()
	p := NewPanel()
	p.Attach(m, 0)
	g, err := NewGuard(cfg, p, c, log)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGuardHoldsUntilThereIsRoom(t *testing.T) {
	m := &scripted{name: "m", readings: local(8*GiB, 8*GiB)}
	c := &handClock{}
	c.onto = func(now time.Duration) error {
		if now >= 3*time.Second {
			m.readings = local(4*GiB, 8*GiB)
		}
		return nil
	}
	var lines strings.Builder
	g := newGuard(t, DefaultConfig(), m, c, slog.New(slog.NewTextHandler(&lines, nil)))
	if err := g.Admit(context.Background(), 7, MiB); err != nil {
		t.Fatal(err)
	}
	s := g.Summary()
	if c.now < 3*time.Second || c.now > 4*time.Second || s.Throttled != c.now || s.Frames != 1 {
		t.Errorf("admitted at %v, throttled %v, %d frames", c.now, s.Throttled, s.Frames)
	}
	if len(s.Transitions) < 2 || s.Transitions[0].To != Hold || s.Transitions[0].Frame != 7 || s.Transitions[0].Headroom != 0 {
		t.Errorf("transitions %v", s.Transitions)
	}
	if s.Limiting.Headroom != 0 || s.LowestAt != 7 {
		t.Errorf("lowest %v at %d", s.Limiting, s.LowestAt)
	}
	if got := lines.String(); !strings.Contains(got, "clear → hold at frame 7") || !strings.Contains(got, "WARN") {
		t.Errorf("log: %s", got)
	}
}

func TestGuardPolicies(t *testing.T) {
	full := local(8*GiB, 8*GiB)
	t.Run("fail", func(t *testing.T) {
		cfg := DefaultConfig()
		cfg.Policy = Fail
		c := &handClock{}
		g := newGuard(t, cfg, &scripted{name: "m", readings: full}, c, nil)
		err := g.Admit(context.Background(), 3, MiB)
		var e *ExhaustedError
		if !errors.Is(err, ErrExhausted) || !errors.As(err, &e) || e.Frame != 3 || e.Limiting.Domain != DeviceLocal {
			t.Fatal(err)
		}
		if c.now < time.Second || c.now > 2*time.Second {
			t.Errorf("failed after %v", c.now)
		}
		if _, inFlight, _, _ := g.Live(); inFlight != 0 {
			t.Errorf("%d frames in flight", inFlight)
		}
	})
	t.Run("degrade", func(t *testing.T) {
		cfg := DefaultConfig()
		cfg.Policy = Degrade
		g := newGuard(t, cfg, &scripted{name: "m", readings: full}, &handClock{}, nil)
		if err := g.Admit(context.Background(), 0, MiB); err != nil || g.Level() != Pageable {
			t.Errorf("level %v, %v", g.Level(), err)
		}
	})
	t.Run("wait for what never comes", func(t *testing.T) {
		c := &handClock{}
		c.onto = func(now time.Duration) error {
			if now > time.Minute {
				return errors.New("nothing will change")
			}
			return nil
		}
		g := newGuard(t, DefaultConfig(), &scripted{name: "m", readings: full}, c, nil)
		err := g.Admit(context.Background(), 0, MiB)
		if !errors.Is(err, ErrExhausted) || !strings.Contains(err.Error(), "nothing will change") {
			t.Error(err)
		}
		if p, _, _, _ := g.Live(); p != Exhausted {
			t.Errorf("phase %v", p)
		}
	})
	t.Run("observe and off", func(t *testing.T) {
		for _, mode := range []Mode{Observe, Off} {
			cfg := DefaultConfig()
			cfg.Mode = mode
			m := &scripted{name: "m", readings: full}
			c := &handClock{}
			g := newGuard(t, cfg, m, c, nil)
			if err := g.Admit(context.Background(), 0, MiB); err != nil || c.now != 0 {
				t.Errorf("%v: %v after %v", mode, err, c.now)
			}
			if n := len(g.Summary().Transitions); (n > 0) != (mode == Observe) || (m.reads > 0) != (mode == Observe) {
				t.Errorf("%v: %d transitions, %d reads", mode, n, m.reads)
			}
		}
	})
}

func TestGuardCancelled(t *testing.T) {
	g := newGuard(t, DefaultConfig(), &scripted{name: "m", readings: local(8*GiB, 8*GiB)}, NewWall(), nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- g.Admit(ctx, 0, MiB) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := g.Admit(ctx, 1, MiB); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Many workers: never more in flight than the window, every frame is admitted and ends once, and
// what is reserved and allocated never passes the hard mark.
func TestGuardUnderConcurrency(t *testing.T) {
	const frames, workers, size = 400, 8, 4 * MiB
	var mu sync.Mutex
	var used, most int64
	budget := 10*size + 8*MiB
	cfg := DefaultConfig()
	cfg.MaxInFlight = workers
	cfg.Overhead = 0
	cfg.Recovery = 4 * time.Millisecond
	cfg.Smooth = 0
	for d := range cfg.Marks {
		cfg.Marks[d] = Marks{Hard: Mark{Bytes: 4 * size}}
	}
	m := MeterFunc("m", DeviceLocal, "", func() (int64, int64, error) {
		mu.Lock()
		defer mu.Unlock()
		return used, budget, nil
	})
	c := &handClock{}
	g := newGuard(t, cfg, m, c, nil)
	var wg sync.WaitGroup
	next := make(chan int64)
	for range workers {
		wg.Go(func() {
			for n := range next {
				if err := g.Admit(context.Background(), n, size); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				used += size
				most = max(most, used)
				mu.Unlock()
				g.Allocated(n)
				mu.Lock()
				used -= size
				mu.Unlock()
				g.Done(n)
				g.Done(n) // once too many does no harm
			}
		})
	}
	for n := range int64(frames) {
		next <- n
	}
	close(next)
	wg.Wait()
	if most > budget-4*size {
		t.Errorf("%d in use; the hard mark is at %d", most, budget-4*size)
	}
	if _, inFlight, _, _ := g.Live(); inFlight != 0 || g.reserved != 0 {
		t.Errorf("%d in flight, %d reserved at the end", inFlight, g.reserved)
	}
	if n := g.Summary().Frames; n != frames {
		t.Errorf("%d frames", n)
	}
}

// What was admitted and is not allocated yet counts.
func TestReservations(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Marks[DeviceLocal] = Marks{}
	cfg.Overhead = 0
	c := &handClock{}
	c.onto = func(time.Duration) error { return errors.New("held") }
	g := newGuard(t, cfg, &scripted{name: "m", readings: local(90*MiB, 100*MiB)}, c, nil)
	ctx := context.Background()
	if err := g.Admit(ctx, 0, 6*MiB); err != nil {
		t.Fatal(err)
	}
	if err := g.Admit(ctx, 1, 6*MiB); !errors.Is(err, ErrExhausted) {
		t.Errorf("the second frame: %v", err)
	}
	g.Done(0)
	c.onto = nil
	if err := g.Admit(ctx, 2, 6*MiB); err != nil {
		t.Errorf("after the first is done: %v", err)
	}
	g.Allocated(2) // the meter would show it; this one does not
	if err := g.Admit(ctx, 3, 6*MiB); err != nil {
		t.Errorf("after the second has its memory: %v", err)
	}
}

func TestConfigIsValidated(t *testing.T) {
	for name, spoil := range map[string]func(*Config){
		"mode": func(c *Config) { c.Mode = 9 }, "policy": func(c *Config) { c.Policy = 9 },
		"in flight": func(c *Config) { c.MaxInFlight = 0 }, "recovery": func(c *Config) { c.Recovery = 0 },
		"patience": func(c *Config) { c.Patience = -1 }, "mark": func(c *Config) { c.Marks[1].Soft.Bytes = -1 },
	} {
		cfg := DefaultConfig()
		spoil(&cfg)
		if _, err := NewGuard(cfg, NewPanel(), NewWall(), nil); err == nil {
			t.Errorf("a senseless %s is accepted", name)
		}
	}
	for _, s := range []string{"on", "observe", "off"} {
		if m, err := ParseMode(s); err != nil || m.String() != s {
			t.Errorf("%s is %v, %v", s, m, err)
		}
	}
	for _, s := range []string{"wait", "degrade", "fail"} {
		if p, err := ParsePolicy(s); err != nil || p.String() != s {
			t.Errorf("%s is %v, %v", s, p, err)
		}
	}
	if _, err := ParseMode("maybe"); err == nil || !strings.Contains(err.Error(), "observe") {
		t.Errorf("%v does not say what there is", err)
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	g := newGuard(t, DefaultConfig(), &scripted{name: "m", readings: local(GiB, 8*GiB)}, NewWall(), nil)
	n := int64(0)
	frame := func() {
		if err := g.Admit(context.Background(), n, 6220800); err != nil {
			t.Fatal(err)
		}
		g.Allocated(n)
		g.Done(n)
		n++
	}
	frame()
	frame()
	if got := testing.AllocsPerRun(1000, frame); got > 0 {
		t.Errorf("%v allocations per frame", got)
	}
}

// What a frame costs: three meters at once, read anew each time.
func BenchmarkFrame(b *testing.B) {
	p := NewPanel()
	for d := range Domain(NumDomains) {
		p.Attach(&scripted{name: d.String(), readings: []Reading{MakeReading(d, GiB, 8*GiB, d.String(), "")}}, 0)
	}
	g, err := NewGuard(DefaultConfig(), p, NewWall(), nil)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	b.ReportAllocs()
	n := int64(0)
	for b.Loop() {
		if err := g.Admit(ctx, n, 6220800); err != nil {
			b.Fatal(err)
		}
		g.Allocated(n)
		g.Done(n)
		n++
	}
}

func BenchmarkDecide(b *testing.B) {
	cfg := DefaultConfig()
	readings := local(GiB, 8*GiB)
	var s State
	b.ReportAllocs()
	for b.Loop() {
		s, _ = Decide(s, readings, Demand{Bytes: MiB}, &cfg, s.Since+time.Millisecond)
	}
}
