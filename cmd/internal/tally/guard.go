package tally

import (
	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/report"
)

// Guard writes into the report what the guard saw and did.
func Guard(s budget.Summary, r *report.Run) {
	r.Guard = &report.Guard{Mode: s.Mode.String(), Policy: s.Policy.String()}
	if s.Mode == budget.Off || !s.Limited { // not limited: no meter worked
		return
	}
	b := &report.Budget{Limiting: s.Limiting.Domain.String(), MinHeadroomBytes: s.Limiting.Headroom, MinHeadroomFrame: &s.LowestAt,
		Source: &s.Limiting.Source, Twin: &s.Limiting.Twin, ThrottledSeconds: s.Throttled.Seconds(),
		TransitionCount: &s.TransitionCount, Transitions: []report.Transition{}}
	for _, t := range s.Transitions {
		headroom := t.Headroom
		b.Transitions = append(b.Transitions, report.Transition{Frame: t.Frame, T: t.At.Seconds(), From: t.From.String(), To: t.To.String(),
			Level: t.Level.String(), Domain: t.Domain.String(), HeadroomBytes: &headroom, Why: t.Why})
	}
	r.Budget = b
}
