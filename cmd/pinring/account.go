package main

import (
	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
)

// account is what one input sees of the purse that all inputs share: its own door to the guard, and
// the curve of its report. sample belongs to one goroutine.
type account struct {
	purse  *purse
	door   *budget.Door // nil without a guard
	series series
	buf    []budget.Reading
}

func (p *purse) account() account {
	a := account{purse: p}
	if p.guard != nil {
		a.door = p.guard.Door()
	}
	return a
}

// guard is the door as the pipeline wants it: nothing, and not a nil door, when there is none.
func (a *account) guard() pipeline.Guard {
	if a.door == nil {
		return nil
	}
	return a.door
}

// sample notes usage and budget after frame n has taken its memory.
func (a *account) sample(n int64) {
	p := a.purse
	if p.card != nil {
		s := p.card.Snapshot()
		d := s.Domain[p.domain]
		a.series.add(report.Sample{Frame: n, T: s.At.Seconds(), Usage: d.Usage, Budget: d.Budget})
		return
	}
	if p.seen == nil || !a.series.wants(n) {
		return
	}
	now := p.guard.Clock().Now()
	a.buf = p.seen.Read(now, a.buf[:0])
	for _, r := range a.buf {
		if r.Domain == p.domain {
			a.series.add(report.Sample{Frame: n, T: now.Seconds(), Usage: r.Usage, Budget: r.Budget})
			return
		}
	}
}

// tell writes into the report what the guard saw and did while this input's frames stood at its door.
func (a *account) tell(r *report.Run) {
	r.Series = a.series.points
	if len(r.Series) > 0 {
		domain := a.purse.domain.String()
		r.SeriesDomain = &domain
	}
	if a.door == nil {
		return
	}
	s := a.door.Summary()
	r.Guard = &report.Guard{Mode: s.Mode.String(), Policy: s.Policy.String()}
	if s.Mode == budget.Off {
		return
	}
	if !s.Limited {
		return // no meter worked
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

// close lets the guard forget frames that never arrived.
func (a *account) close() {
	if a.door != nil {
		a.door.Close()
	}
}

// mostSamples bounds the series of a report.
const mostSamples = 2000

// series keeps samples of a run of unknown length: when there are too many, every other one goes,
// and from then on only every other frame is sampled.
type series struct {
	points []report.Sample
	step   int64 // frames from one sample to the next; 0 is 1
}

func (s *series) wants(n int64) bool { return s.step <= 1 || n%s.step == 0 }

func (s *series) add(p report.Sample) {
	if !s.wants(p.Frame) {
		return
	}
	if len(s.points) == mostSamples {
		s.step = max(2*s.step, 2)
		kept := s.points[:0]
		for _, q := range s.points {
			if s.wants(q.Frame) {
				kept = append(kept, q)
			}
		}
		s.points = kept
		if !s.wants(p.Frame) {
			return
		}
	}
	s.points = append(s.points, p)
}
