package budget

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Guard stands at the door of a frame loop:
//
//	for n := int64(0); ; n++ {
//		if err := guard.Admit(ctx, n, bytes); err != nil { … }
//		… allocate the frame's memory …
//		guard.Allocated(n)
//		… work, on any goroutine; give the memory back …
//		guard.Done(n)
//	}
//
// Admit may be called from several goroutines, one is served at a time; the other methods may be
// called at any time from anywhere. On a virtual clock frames must be admitted in order, and
// Allocated must come before the next Admit: then everything that the guard does is determined by
// the frames alone. Several streams of frames, each with a numbering of its own, stand each before a
// [Door] of the guard.
type Guard struct {
	cfg   Config
	panel *Panel
	clock Clock
	door  chan struct{} // holds a token while nobody is in Admit

	readings []Reading // of the one who is in Admit

	mu       sync.Mutex
	state    State
	level    Level
	inFlight []passage
	changed  chan struct{} // has a token after a Done
	reserved int64         // bytes admitted and not yet allocated
	all      tally         // of all frames
	rec      recorder

	next int64 // number of the next frame that comes through a Door; of the one who is in Admit
}

// passage is a frame between Admit and Done.
type passage struct {
	frame int64
	bytes int64 // reserved; 0 once allocated
}

// NewGuard makes a guard that reads panel and lives on clock. log may be nil, and must not call the
// guard.
func NewGuard(cfg Config, panel *Panel, clock Clock, log *slog.Logger) (*Guard, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	g := &Guard{cfg: cfg, panel: panel, clock: clock, door: make(chan struct{}, 1), changed: make(chan struct{}, 1),
		inFlight: make([]passage, 0, cfg.MaxInFlight+1)}
	g.door <- struct{}{}
	g.rec.log = log
	return g, nil
}

// Admit returns when the frame may take bytes of pinned memory (0 when it only reuses memory that
// it has). It fails with an *ExhaustedError when the policy or the clock says so, and with ctx's
// error when ctx is done; the frame is then not in flight.
func (g *Guard) Admit(ctx context.Context, frame, bytes int64) error {
	if err := g.knock(ctx); err != nil {
		return err
	}
	defer g.leave()
	return g.admit(ctx, caller{frame: frame, shown: frame}, bytes)
}

// knock waits until nobody else is in Admit.
func (g *Guard) knock(ctx context.Context) error {
	select {
	case <-g.door:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *Guard) leave() { g.door <- struct{}{} }

// caller is a frame at the door.
type caller struct {
	frame int64  // its number before the guard
	shown int64  // its number in its own stream
	tally *tally // of its stream; nil when there is but one
}

// admit serves the one who is in Admit.
func (g *Guard) admit(ctx context.Context, c caller, bytes int64) error {
	if err := g.clock.Begin(ctx, c.frame); err != nil {
		return err
	}
	bytes += int64(float64(bytes) * g.cfg.Overhead / 100)
	for {
		d, now := g.look(c, bytes)
		passed := false
		var err error
		switch {
		case g.cfg.Mode != On:
			passed = true
		case d.Fail:
			return &ExhaustedError{Frame: c.shown, Bytes: bytes, Limiting: d.Limiting}
		case !d.Admit:
			err = g.wait(ctx, d, c.shown, bytes)
		default:
			passed, err = g.enter(ctx, d.Window)
		}
		if passed {
			g.pass(c, bytes, now)
			return nil
		}
		if !d.Admit || d.Window < g.cfg.MaxInFlight { // waiting in a full window is ordinary
			g.noteDelay(c, g.clock.Now()-now)
		}
		if err != nil {
			return err
		}
	}
}

// look reads the meters and decides.
func (g *Guard) look(c caller, bytes int64) (Decision, time.Duration) {
	now := g.clock.Now()
	if g.cfg.Mode == Off {
		return Decision{}, now
	}
	g.readings = g.panel.Read(now, g.readings[:0])
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.state
	demand := Demand{Bytes: g.reserved + bytes}
	s, d := Decide(before, g.readings, demand, &g.cfg, now)
	g.state, g.level = s, d.Level
	if s.Phase != before.Phase || s.Level != before.Level {
		t := Transition{At: now, Frame: c.shown, From: before.Phase, To: s.Phase, Level: s.Level, Domain: d.Limiting.Domain,
			Source: d.Limiting.Source, Headroom: d.Limiting.Headroom, TimeLeft: d.TimeLeft, Why: d.Why}
		g.all.changed(t)
		c.tally.changed(t)
		g.rec.tell(t)
	}
	if w, ok := Worst(g.readings); ok {
		g.all.saw(w, c.shown)
		c.tally.saw(w, c.shown)
	}
	return d, now
}

// wait lets time pass. On a virtual clock it may learn that nothing will ever change.
func (g *Guard) wait(ctx context.Context, d Decision, frame, bytes int64) error {
	err := g.clock.Wait(ctx, d.Wait)
	if err != nil && ctx.Err() == nil {
		return &ExhaustedError{Frame: frame, Bytes: bytes, Limiting: d.Limiting, Err: err}
	}
	return err
}

// enter reports whether there is room for one more frame in flight; when there is none it waits
// for a Done first. That wait is for real work and takes no time of a virtual clock.
func (g *Guard) enter(ctx context.Context, window int) (bool, error) {
	g.mu.Lock()
	room := len(g.inFlight) < window
	g.mu.Unlock()
	if room {
		return true, nil
	}
	select {
	case <-g.changed:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// pass lets the frame in.
func (g *Guard) pass(c caller, bytes int64, now time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.level == Pageable {
		bytes = 0 // it will take no pinned memory
	}
	g.inFlight = append(g.inFlight, passage{frame: c.frame, bytes: bytes})
	g.reserved += bytes
	g.all.passed()
	c.tally.passed()
	g.state.admit(now)
}

func (g *Guard) noteDelay(c caller, delay time.Duration) {
	g.mu.Lock()
	g.all.waited(delay)
	c.tally.waited(delay)
	g.mu.Unlock()
}

// Allocated says that the frame has the memory that it asked for: from now on the meters see it.
func (g *Guard) Allocated(frame int64) {
	g.mu.Lock()
	var took int64
	for i := range g.inFlight {
		if p := &g.inFlight[i]; p.frame == frame {
			took = p.bytes
			g.reserved -= took
			p.bytes = 0
			break
		}
	}
	g.mu.Unlock()
	if took == 0 {
		return
	}
	for d := range Domain(NumDomains) {
		g.panel.Add(d, took)
	}
}

// Done says that the frame has left: its memory is given back. A frame that is not in flight is
// ignored.
func (g *Guard) Done(frame int64) {
	g.mu.Lock()
	for i := range g.inFlight {
		if g.inFlight[i].frame == frame {
			g.reserved -= g.inFlight[i].bytes
			g.inFlight = append(g.inFlight[:i], g.inFlight[i+1:]...)
			break
		}
	}
	g.mu.Unlock()
	g.clock.End(frame)
	select {
	case g.changed <- struct{}{}:
	default:
	}
}

// Level is what the program should do without at present; a guard that only observes asks for nothing.
func (g *Guard) Level() Level {
	if g.cfg.Mode != On {
		return Full
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.level
}

// Live is the present state, for a progress line.
func (g *Guard) Live() (p Phase, inFlight, window int, lowest Reading) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.state.Phase, len(g.inFlight), g.state.Window, g.all.lowest
}

// Panel is the panel that the guard reads.
func (g *Guard) Panel() *Panel { return g.panel }

// Clock is the clock that the guard lives on.
func (g *Guard) Clock() Clock { return g.clock }

// Summary reports what the guard did so far. It allocates.
func (g *Guard) Summary() Summary { return g.summary(&g.all) }

func (g *Guard) summary(t *tally) Summary {
	meters, events := g.panel.Status(), g.panel.Events()
	g.mu.Lock()
	defer g.mu.Unlock()
	return Summary{Mode: g.cfg.Mode, Policy: g.cfg.Policy, Frames: t.frames, Limited: t.limited, Limiting: t.lowest,
		LowestAt: t.lowestAt, Throttled: t.delayed, Transitions: append([]Transition(nil), t.transitions...),
		TransitionCount: t.count, Meters: meters, MeterEvents: events}
}
