package probe

import (
	"context"
	"fmt"
	"time"
)

// Level says how a check came out.
type Level int

// The levels.
const (
	OK Level = iota
	Warning
	Problem
)

// Finding is one line of an examination.
type Finding struct {
	Name  string
	Level Level
	Text  string
	// Advice is what to do, empty when nothing is to be done.
	Advice string
}

// Examination is what was found.
type Examination struct {
	Findings []Finding
	// Card says that there is an NVIDIA card that programs can use.
	Card bool
	// Present says that there is one, usable or not.
	Present  bool
	Settings []Setting // recommended
}

// DefaultDeadline is how long a single check may take. All run at once.
const DefaultDeadline = 5 * time.Second

// Examine looks at the system. It returns within the deadline and a little more, whatever hangs: a
// check that does not answer is a finding of its own, and its goroutine is left behind.
func Examine(ctx context.Context, s *System, deadline time.Duration) *Examination {
	x := learn(ctx, s, deadline)
	results := make([]chan []Finding, len(checks))
	for i, c := range checks {
		results[i] = make(chan []Finding, 1)
		go func() { results[i] <- c.look(ctx, x) }()
	}
	e := &Examination{Card: x.usable(), Present: x.hardware()}
	late := time.After(deadline)
	for i, c := range checks {
		select {
		case f := <-results[i]:
			e.Findings = append(e.Findings, f...)
			continue
		default:
		}
		select {
		case f := <-results[i]:
			e.Findings = append(e.Findings, f...)
		case <-late:
			late = closed()
			e.Findings = append(e.Findings, Finding{c.name, Warning, fmt.Sprintf("no answer within %v", deadline), "look whether the driver hangs: nvidia-smi, dmesg"})
		case <-ctx.Done():
			return e
		}
	}
	e.Settings = x.recommend()
	return e
}

// closed is a channel that is always ready: after the deadline nobody is waited for.
func closed() <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}

// Worst is the worst level, and how many findings have each.
func (e *Examination) Worst() (worst Level, warnings, problems int) {
	for _, f := range e.Findings {
		worst = max(worst, f.Level)
		switch f.Level {
		case Warning:
			warnings++
		case Problem:
			problems++
		}
	}
	return worst, warnings, problems
}

// Verdict is the examination in a sentence.
func (e *Examination) Verdict() string {
	_, w, p := e.Worst()
	s := "ready: an NVIDIA card can be used"
	switch {
	case e.Card:
	case e.Present:
		s = "an NVIDIA card is here, and cannot be used: CPU device"
	default:
		s = "no NVIDIA card: CPU device"
	}
	switch {
	case p > 0 && w > 0:
		s += fmt.Sprintf("; %s and %s", counted(p, "problem"), counted(w, "warning"))
	case p > 0:
		s += "; " + counted(p, "problem")
	case w > 0:
		s += "; " + counted(w, "warning")
	}
	return s
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
