package budget

import "time"

// Phase is how near the wall is.
type Phase uint8

// The phases, from mild to severe.
const (
	Clear     Phase = iota // admit
	Throttle               // admit fewer frames at once, and later
	Hold                   // admit none
	Exhausted              // held for longer than the patience allows
)

var phaseNames = [...]string{"clear", "throttle", "hold", "exhausted"}

func (p Phase) String() string { return nameOf(phaseNames[:], int(p)) }

// Level is how much the program is asked to do without.
type Level uint8

// The levels. A program goes to the level as soon as it can; the next frame that it admits is
// counted as if it had.
const (
	Full     Level = iota // everything
	Shrunk                // the smallest ring that works
	Pageable              // no pinned memory for new frames
)

var levelNames = [...]string{"full", "shrunk", "pageable"}

func (l Level) String() string { return nameOf(levelNames[:], int(l)) }

// State is all that [Decide] remembers from call to call. The zero value is the beginning. It is a
// plain value: copying it is remembering it.
type State struct {
	Phase     Phase
	Since     time.Duration // when the phase began
	HeldSince time.Duration // when admission stopped; meaningful in Hold and Exhausted
	Level     Level
	LevelAt   time.Duration // when the level changed
	ClearAt   time.Duration // since when the phase has been Clear, or the level changed

	Window   int // frames that may be in flight; 0 at the beginning means "all"
	WindowAt time.Duration

	Admitted  bool // LastAdmit is meaningful
	LastAdmit time.Duration

	growth [maxTrends]growth
}

// maxTrends is how many readings get a projection; more are judged by their marks alone.
const maxTrends = 8

// growth measures how fast one meter's headroom shrinks, over whole periods.
type growth struct {
	source   string // empty when unused
	domain   Domain
	at       time.Duration
	headroom int64
	rate     float64 // bytes per second in the last period; negative when headroom grows
}

// trend updates and returns how fast the headroom of r shrinks, in bytes per second. Only whole
// periods count, so that asking twice at one time changes nothing.
func (s *State) trend(r *Reading, now, period time.Duration) float64 {
	for i := range s.growth {
		g := &s.growth[i]
		if g.source == "" {
			*g = growth{source: r.Source, domain: r.Domain, at: now, headroom: r.Headroom}
			return 0
		}
		if g.source != r.Source || g.domain != r.Domain {
			continue
		}
		if now-g.at >= period {
			g.rate = float64(g.headroom-r.Headroom) / (now - g.at).Seconds()
			g.at, g.headroom = now, r.Headroom
		}
		return g.rate
	}
	return 0
}

// admit is what the state learns when a frame passes the door.
func (s *State) admit(now time.Duration) { s.Admitted, s.LastAdmit = true, now }
