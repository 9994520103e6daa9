package budget

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Transition records that the guard's phase or level changed.
type Transition struct {
	At       time.Duration
	Frame    int64 // the frame at the door
	From     Phase
	To       Phase
	Level    Level // after the change
	Domain   Domain
	Source   string
	Headroom int64
	TimeLeft time.Duration // Forever when the headroom does not shrink
	Why      string
}

// String is the transition as a line for people.
func (t Transition) String() string {
	s := fmt.Sprintf("budget guard: %s → %s at frame %d: %s; %s left in %s (%s)",
		t.From, t.To, t.Frame, t.Why, FormatBytes(t.Headroom), t.Domain.Title(), t.Source)
	if t.TimeLeft != Forever {
		s += fmt.Sprintf(", gone in %.1f s at this rate", t.TimeLeft.Seconds())
	}
	if t.Level != Full {
		s += ", staging is " + t.Level.String()
	}
	return s
}

// Summary is what a guard did, for reports.
type Summary struct {
	Mode        Mode
	Policy      Policy
	Frames      int64 // admitted
	Limited     bool  // Limiting is meaningful
	Limiting    Reading
	LowestAt    int64         // the frame at whose admission the headroom of Limiting was lowest
	Throttled   time.Duration // time that admissions were delayed, in all
	Transitions []Transition
	// TransitionCount counts all, also those beyond what Transitions keeps.
	TransitionCount int64
	Meters          []MeterStatus
	MeterEvents     []MeterEvent
}

// recorder logs transitions, at most one line a second.
type recorder struct {
	log *slog.Logger
	// rate limit
	logged   bool
	lastLog  time.Duration
	unlogged int
}

func (r *recorder) tell(t Transition) {
	if r.log == nil {
		return
	}
	// What matters most is never held back: the first sight of a phase worse than throttle.
	if r.logged && t.At-r.lastLog < time.Second && t.To < Exhausted {
		r.unlogged++
		return
	}
	level := slog.LevelInfo
	if t.To > t.From {
		level = slog.LevelWarn
	}
	msg := t.String()
	if r.unlogged > 0 {
		msg += fmt.Sprintf(" (and %d more changes since the last line)", r.unlogged)
	}
	r.log.Log(context.Background(), level, msg)
	r.logged, r.lastLog, r.unlogged = true, t.At, 0
}
