package budget

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// world is a machine whose headroom changes as rapid likes.
type world struct {
	cfg      Config
	state    State
	now      time.Duration
	readings []Reading
}

func drawWorld(t *rapid.T) *world {
	w := &world{cfg: DefaultConfig()}
	w.cfg.Policy = Policy(rapid.IntRange(0, 2).Draw(t, "policy"))
	w.cfg.MaxInFlight = rapid.IntRange(1, 8).Draw(t, "max in flight")
	w.cfg.Recovery = time.Duration(rapid.IntRange(100, 4000).Draw(t, "recovery ms")) * time.Millisecond
	w.cfg.Patience = time.Duration(rapid.IntRange(0, 5000).Draw(t, "patience ms")) * time.Millisecond
	for d := range w.cfg.Marks {
		w.cfg.Marks[d].Hard = Mark{Bytes: rapid.Int64Range(0, 64*MiB).Draw(t, "hard")}
		w.cfg.Marks[d].Soft = Mark{Bytes: rapid.Int64Range(0, 512*MiB).Draw(t, "soft")}
	}
	w.drawReadings(t)
	return w
}

func (w *world) drawReadings(t *rapid.T) {
	w.readings = w.readings[:0]
	for d := range rapid.IntRange(0, int(NumDomains)).Draw(t, "domains") {
		left := rapid.Int64Range(-64*MiB, GiB).Draw(t, "headroom")
		w.readings = append(w.readings, MakeReading(Domain(d), 4*GiB-left, 4*GiB, Domain(d).String(), ""))
	}
}

func (w *world) decide(bytes int64) (State, Decision) {
	return Decide(w.state, w.readings, Demand{Bytes: bytes}, &w.cfg, w.now)
}

// step lets some time pass and asks.
func (w *world) step(t *rapid.T) (before State, bytes int64, d Decision) {
	w.now += time.Duration(rapid.IntRange(0, 1000).Draw(t, "ms")) * time.Millisecond
	if rapid.Bool().Draw(t, "headroom changes") {
		w.drawReadings(t)
	}
	bytes = rapid.Int64Range(0, 64*MiB).Draw(t, "bytes")
	before = w.state
	w.state, d = w.decide(bytes)
	if d.Admit && rapid.Bool().Draw(t, "passes") {
		w.state.admit(w.now)
	}
	return before, bytes, d
}

func TestNeverAdmitsPastTheHardMark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		for range 30 {
			_, bytes, d := w.step(t)
			if bytes == 0 && !d.Admit {
				t.Fatalf("a frame that takes nothing was held in %v", d.Phase)
			}
			if !d.Admit || bytes == 0 {
				continue
			}
			for _, r := range w.readings {
				if d.Level == Pageable && r.Domain.OfDevice() {
					continue // it takes no pinned memory
				}
				if left, hard := r.Headroom-bytes, w.cfg.Marks[r.Domain].Hard.Of(r.Budget); left < hard {
					t.Fatalf("admitted with %d left of %s; the hard mark is %d", left, r.Domain, hard)
				}
			}
		}
	})
}

func TestOpensWithinTheRecoveryTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		for range rapid.IntRange(0, 20).Draw(t, "history") {
			w.step(t)
		}
		// The headroom is back, and stays.
		for d := range w.readings {
			m := w.cfg.Marks[w.readings[d].Domain]
			left := max(m.Soft.Bytes, m.Hard.Bytes)*3/2 + 128*MiB
			w.readings[d] = MakeReading(w.readings[d].Domain, 4*GiB-left, 4*GiB, w.readings[d].Source, "")
		}
		bytes := rapid.Int64Range(0, 64*MiB).Draw(t, "bytes")
		from := w.now
		for w.now-from < w.cfg.Recovery {
			var d Decision
			w.state, d = w.decide(bytes)
			if d.Phase == Clear {
				return
			}
			// As the guard does: wait as told, or for the next frame.
			wait := d.Wait
			if d.Admit {
				w.state.admit(w.now)
				wait = time.Duration(rapid.Int64Range(1, int64(holdPoll(&w.cfg))).Draw(t, "next frame"))
			}
			w.now += wait
		}
		t.Fatalf("still %v after %v", w.state.Phase, w.now-from)
	})
}

func TestNoFlappingFasterThanTheHysteresis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		var changed time.Duration
		milder := 0
		for range 60 {
			before, _, d := w.step(t)
			switch {
			case d.Phase < before.Phase:
				if w.now-changed < w.cfg.Recovery/4 && before.Phase != Clear {
					t.Fatalf("%v → %v only %v after the last change", before.Phase, d.Phase, w.now-changed)
				}
				changed = w.now
				milder++
			case d.Phase > before.Phase:
				changed = w.now
			}
		}
		if most := int(w.now/(w.cfg.Recovery/4)) + 1; milder > most {
			t.Fatalf("%d steps back in %v", milder, w.now)
		}
	})
}

func TestDecisionsMakeSense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		for range 30 {
			before, bytes, d := w.step(t)
			switch {
			case d.Window < 1 || d.Window > w.cfg.MaxInFlight:
				t.Fatalf("a window of %d frames of %d", d.Window, w.cfg.MaxInFlight)
			case d.Phase == Clear && !d.Admit:
				t.Fatal("clear, and not admitted")
			case d.Admit != (d.Wait == 0):
				t.Fatalf("admitted %v, but wait %v", d.Admit, d.Wait)
			case d.Fail && (w.cfg.Policy != Fail || d.Phase != Exhausted || d.Admit):
				t.Fatalf("failing: %+v", d)
			case d.Level > Full && w.cfg.Policy != Degrade:
				t.Fatalf("degrades under policy %v", w.cfg.Policy)
			case d.Limited != (len(w.readings) > 0):
				t.Fatalf("limited %v by %v", d.Limited, w.readings)
			case d.Why == "":
				t.Fatal("no reason")
			case len(w.readings) == 0 && before.Phase == Clear && !d.Admit:
				t.Fatal("held without any reading")
			}
			// Pure, and asking again changes nothing.
			again, e := w.decide(bytes)
			if !d.Admit || w.state.LastAdmit != w.now {
				e.Why = d.Why
				if again != w.state || e != d {
					t.Fatalf("asked again: %+v, before: %+v", e, d)
				}
			}
		}
	})
}

// The named domain is the one that a person would name.
func TestTheWorstDomainIsNamed(t *testing.T) {
	cfg := DefaultConfig()
	readings := []Reading{
		MakeReading(DeviceLocal, 5*GiB, 8*GiB, "a", ""),
		MakeReading(DeviceShared, 15*GiB+960*MiB, 16*GiB, "b", ""),
		MakeReading(HostRAM, 1*GiB, 32*GiB, "c", ""),
	}
	_, d := Decide(State{}, readings, Demand{Bytes: 48 * MiB}, &cfg, 0)
	if d.Limiting.Domain != DeviceShared || d.Phase != Hold || d.Admit {
		t.Errorf("%+v", d)
	}
	readings[1] = MakeReading(DeviceShared, 1*GiB, 16*GiB, "b", "")
	_, d = Decide(State{}, readings, Demand{Bytes: 48 * MiB}, &cfg, 0)
	if d.Limiting.Domain != DeviceLocal || d.Phase != Clear {
		t.Errorf("%+v", d)
	}
}

// A steady fall is seen coming while the headroom is still large.
func TestProjection(t *testing.T) {
	cfg := DefaultConfig()
	var s State
	const rate = 512 << 20 // bytes per second
	for at := time.Duration(0); ; at += 10 * time.Millisecond {
		left := 4*GiB - int64(at.Seconds()*float64(rate))
		var d Decision
		s, d = Decide(s, []Reading{MakeReading(DeviceLocal, 8*GiB-left, 8*GiB, "a", "")}, Demand{}, &cfg, at)
		if d.Phase == Clear {
			continue
		}
		if d.Phase != Throttle || d.Why != whySoon || left < GiB-32*MiB || left > GiB+64*MiB {
			t.Errorf("%v with %d left: %s", d.Phase, left, d.Why)
		}
		if d.TimeLeft < cfg.Horizon-100*time.Millisecond || d.TimeLeft > cfg.Horizon {
			t.Errorf("projected %v", d.TimeLeft)
		}
		return
	}
}

// Degrading and coming back, in words of the policy.
func TestDegradeStepByStep(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Policy = Degrade
	var s State
	var d Decision
	full := []Reading{MakeReading(DeviceLocal, 8*GiB, 8*GiB, "a", "")}
	free := []Reading{MakeReading(DeviceLocal, 4*GiB, 8*GiB, "a", "")}
	level := func(r []Reading, at time.Duration, want Level, admit bool) {
		t.Helper()
		if s, d = Decide(s, r, Demand{Bytes: MiB}, &cfg, at); d.Level != want || d.Admit != admit {
			t.Errorf("at %v: level %v, admitted %v (%v); want %v, %v", at, d.Level, d.Admit, d.Phase, want, admit)
		}
	}
	level(full, 0, Full, false)
	level(full, 999*time.Millisecond, Full, false)
	level(full, time.Second, Shrunk, false)
	level(full, 1999*time.Millisecond, Shrunk, false)
	level(full, 2*time.Second, Pageable, true)
	level(full, 10*time.Second, Pageable, true)
	level(free, 11*time.Second, Pageable, true) // throttle
	level(free, 12*time.Second, Pageable, true) // clear
	level(free, 13*time.Second, Shrunk, true)
	level(free, 14*time.Second, Full, true)

	// Pageable memory does not help against a shortage of host RAM.
	s = State{}
	ram := []Reading{MakeReading(HostRAM, 8*GiB, 8*GiB, "a", "")}
	level(ram, 0, Full, false)
	level(ram, 5*time.Second, Shrunk, false)
	level(ram, 50*time.Second, Shrunk, false)
}
