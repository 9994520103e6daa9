package budget

import (
	"math"
	"time"
)

// Demand is what stands at the door.
type Demand struct {
	// Bytes of pinned memory that the frame will take and that are not in the readings yet, with
	// those of frames that were admitted and have not allocated yet. They count in every domain,
	// since it is not known which one the driver charges. 0 when the frame only reuses memory.
	Bytes int64
}

// Decision is the verdict on one frame.
type Decision struct {
	Admit bool
	// Wait is how long to let pass before asking again; positive when not admitted, else 0.
	Wait   time.Duration
	Fail   bool // give up: exhausted, and the policy is Fail
	Phase  Phase
	Window int   // frames that may be in flight, at least 1
	Level  Level // what the program should do without
	// The reading that limits; Limited is false when there is no reading.
	Limited  bool
	Limiting Reading
	// TimeLeft is the projected time to the hard mark, Forever when the headroom does not shrink.
	TimeLeft time.Duration
	Why      string
}

// Forever is the projected time when the headroom does not shrink.
const Forever = time.Duration(math.MaxInt64)

// The reasons of a decision.
const (
	whyClear   = "headroom is sufficient"
	whyNoMeter = "no meter works: the headroom is not known"
	whySoft    = "headroom is below the soft mark"
	whySoon    = "at the present growth the hard mark is near"
	whyHard    = "the next frame would pass the hard mark"
	whyHeld    = "held for longer than the patience allows"
	whyDwell   = "headroom has come back, watching whether it stays"
	whyBack    = "headroom has come back"
)

// Decide judges one frame. It is a pure function: the same arguments give the same result, it
// reads no clock, and it keeps nothing. Times are of the clock that the readings were taken with;
// now must not go back. Asking again with the same now changes nothing.
//
// What it promises, for any readings: while the level is below Pageable no frame is admitted whose
// bytes would leave less than the hard mark in any domain, and at Pageable none that would do so in
// host RAM; a frame that takes nothing is always admitted; a phase is left for a milder one only after a quarter of the recovery time; with
// sufficient and steady headroom the phase is Clear within the recovery time; Clear always admits,
// and the window is never less than one frame.
func Decide(s State, readings []Reading, demand Demand, cfg *Config, now time.Duration) (State, Decision) {
	v := assess(&s, readings, demand, cfg, now)
	why := s.step(v, cfg, now)
	s.relevel(v, cfg, now)
	s.adjustWindow(v, cfg, now)

	d := Decision{Phase: s.Phase, Window: s.Window, Level: s.Level, Limited: v.limited,
		Limiting: v.limiting, TimeLeft: v.timeLeft, Why: why}
	switch {
	case s.Phase == Clear:
		d.Admit = true
	case demand.Bytes <= 0:
		d.Admit = true // it takes nothing: holding it would bring nothing back
	case s.Level == Pageable && v.hostFits && v.limiting.Domain.OfDevice():
		d.Admit = true
	case s.Phase == Throttle:
		d.Wait = s.pace(v, demand, cfg, now)
		d.Admit = d.Wait == 0
	case s.Phase == Exhausted && cfg.Policy == Fail:
		d.Fail = true
		d.Wait = holdPoll(cfg)
	default:
		d.Wait = holdPoll(cfg)
	}
	return s, d
}

// holdPoll is how often a held frame looks again.
func holdPoll(cfg *Config) time.Duration { return cfg.dwell() / 4 }

// verdict is what the readings alone say.
type verdict struct {
	want     Phase // Clear, Throttle or Hold
	opens    bool  // enough beyond the hard mark for a hold to end
	relaxed  bool  // enough beyond the soft mark for throttling to end
	growing  bool  // headroom shrinks towards the mark
	hostFits bool  // the frame fits into host RAM, whatever the device says
	limited  bool
	limiting Reading
	slack    int64 // bytes left above the hard mark once the frame has its memory
	timeLeft time.Duration
	why      string
}

// assess finds the reading that is worst off: the most severe phase, then the least slack.
func assess(s *State, readings []Reading, demand Demand, cfg *Config, now time.Duration) verdict {
	w := verdict{opens: true, relaxed: true, hostFits: true, slack: math.MaxInt64, timeLeft: Forever, why: whyClear}
	if len(readings) == 0 {
		w.why = whyNoMeter
	}
	for i := range readings {
		r := &readings[i]
		rate := s.trend(r, now, cfg.dwell())
		v := judge(r, rate, demand, cfg)
		w.opens, w.relaxed = w.opens && v.opens, w.relaxed && v.relaxed
		w.growing = w.growing || v.growing && v.want >= Throttle
		w.hostFits = w.hostFits && (v.want < Hold || r.Domain.OfDevice())
		w.timeLeft = min(w.timeLeft, v.timeLeft)
		if !w.limited || v.want > w.want || v.want == w.want && v.slack < w.slack {
			w.want, w.slack, w.why = v.want, v.slack, v.why
			w.limited, w.limiting = true, *r
		}
	}
	return w
}

// judge weighs one reading. rate is how fast its headroom shrinks, in bytes per second.
func judge(r *Reading, rate float64, demand Demand, cfg *Config) verdict {
	m := &cfg.Marks[r.Domain]
	hard := m.Hard.Of(r.Budget)
	soft := max(m.Soft.Of(r.Budget), hard)
	left := r.Headroom - demand.Bytes
	v := verdict{slack: left - hard, timeLeft: Forever, growing: rate > 0, why: whyClear}
	if rate > 0 {
		v.timeLeft = seconds(float64(max(v.slack, 0)) / rate)
	}
	switch {
	case v.slack < 0:
		v.want, v.why = Hold, whyHard
	case left < soft:
		v.want, v.why = Throttle, whySoft
	case v.timeLeft < cfg.Horizon:
		v.want, v.why = Throttle, whySoon
	}
	margin := int64(float64(soft) * cfg.Hysteresis / 100)
	v.opens = v.slack >= min(margin, soft-hard)
	v.relaxed = float64(left) >= float64(soft)*(1+cfg.Hysteresis/100) && v.timeLeft >= cfg.Horizon+cfg.Horizon/4
	return v
}

func seconds(f float64) time.Duration {
	if f >= Forever.Seconds() {
		return Forever
	}
	return time.Duration(f * float64(time.Second))
}

// step moves the phase: to a more severe one at once, to a milder one step by step and only after
// the dwell time.
func (s *State) step(v verdict, cfg *Config, now time.Duration) (why string) {
	switch {
	case v.want > s.Phase:
		s.enter(v.want, now)
		return v.why
	case s.Phase == Hold && v.want == Hold && now-s.HeldSince >= cfg.patience():
		s.enter(Exhausted, now)
		return whyHeld
	case s.Phase >= Hold && v.want == Hold:
		return v.why
	case now-s.Since < cfg.dwell():
		return pick(v.want < s.Phase, whyDwell, v.why)
	case s.Phase >= Hold && v.opens:
		s.enter(Throttle, now)
		return whyBack
	case s.Phase == Throttle && v.want == Clear && v.relaxed:
		s.enter(Clear, now)
		return whyBack
	}
	return pick(v.want < s.Phase, whyDwell, v.why)
}

func pick(c bool, a, b string) string {
	if c {
		return a
	}
	return b
}

// enter begins a phase. Each step towards the wall halves the window.
func (s *State) enter(p Phase, now time.Duration) {
	if p == Hold {
		s.HeldSince = now
	}
	if p == Clear {
		s.ClearAt = now
	}
	if p > s.Phase && s.Window > 0 {
		s.Window, s.WindowAt = max(1, s.Window/2), now
	}
	s.Phase, s.Since = p, now
}

// adjustWindow is AIMD: one frame more per dwell time while all is well, half as many when it is
// not.
func (s *State) adjustWindow(v verdict, cfg *Config, now time.Duration) {
	if s.Window == 0 {
		s.Window, s.WindowAt = cfg.MaxInFlight, now
		if s.Phase > Clear {
			s.Window = max(1, s.Window/2)
		}
	}
	if now-s.WindowAt >= cfg.dwell() {
		s.WindowAt = now
		if s.Phase >= Hold || s.Phase == Throttle && v.growing {
			s.Window /= 2
		} else {
			s.Window++
		}
	}
	s.Window = min(max(s.Window, 1), cfg.MaxInFlight)
}

// relevel asks for less while the guard is exhausted, and for more again after a clear while.
// Pageable memory is no way out of a shortage of host RAM.
func (s *State) relevel(v verdict, cfg *Config, now time.Duration) {
	if cfg.Policy != Degrade {
		return
	}
	most := Pageable
	if v.limited && !v.limiting.Domain.OfDevice() {
		most = Shrunk
	}
	switch {
	case s.Phase == Exhausted && s.Level < most && (s.Level == Full || now-s.LevelAt >= cfg.patience()):
		s.Level++
		s.LevelAt = now
	case s.Phase == Clear && s.Level > Full && now-max(s.ClearAt, s.LevelAt) >= cfg.Recovery:
		s.Level--
		s.LevelAt = now
	}
}

// pace is how much longer a throttled frame waits: the nearer the hard mark, the longer the
// interval between frames, so that it is approached and not met. Frames that take no memory pass.
func (s *State) pace(v verdict, demand Demand, cfg *Config, now time.Duration) time.Duration {
	if demand.Bytes <= 0 || !s.Admitted {
		return 0
	}
	above := float64(v.slack) + float64(demand.Bytes)
	interval := time.Duration(float64(cfg.Smooth) * float64(demand.Bytes) / above)
	wait := interval - (now - s.LastAdmit)
	if wait <= 0 {
		return 0
	}
	return min(max(wait, time.Millisecond), holdPoll(cfg))
}
