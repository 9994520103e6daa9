package purse

import (
	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
)

// Account is what one input sees of the purse that all inputs share: its own door to the guard, and the
// curve of its report. To be closed.
type Account struct {
	purse  *Purse
	door   *budget.Door // nil without a guard
	series tally.Series
	buf    []budget.Reading
}

// Account opens an account, when the purse is open.
func (p *Purse) Account() *Account {
	a := &Account{purse: p}
	if p.Guard != nil {
		a.door = p.Guard.Door()
	}
	return a
}

// Guard is the door as the pipeline wants it: nothing, and not a nil door, when there is none.
func (a *Account) Guard() pipeline.Guard {
	if a.door == nil {
		return nil
	}
	return a.door
}

// Sample notes usage and budget after frame n has taken its memory. It belongs to one goroutine.
func (a *Account) Sample(n int64) {
	p := a.purse
	if p.Card != nil {
		s := p.Card.Snapshot()
		d := s.Domain[p.domain]
		a.series.Add(report.Sample{Frame: n, T: s.At.Seconds(), Usage: d.Usage, Budget: d.Budget})
		return
	}
	if p.seen == nil || !a.series.Wants(n) {
		return
	}
	now := p.Guard.Clock().Now()
	a.buf = p.seen.Read(now, a.buf[:0])
	for _, r := range a.buf {
		if r.Domain == p.domain {
			a.series.Add(report.Sample{Frame: n, T: now.Seconds(), Usage: r.Usage, Budget: r.Budget})
			return
		}
	}
}

// Tell writes into the report what the input saw, and what the guard saw and did while its frames stood
// at its door.
func (a *Account) Tell(r *report.Run) {
	r.Series = a.series.Points
	if len(r.Series) > 0 {
		domain := a.purse.domain.String()
		r.SeriesDomain = &domain
	}
	if a.door != nil {
		tally.Guard(a.door.Summary(), r)
	}
}

// Close lets the guard forget frames that never arrived.
func (a *Account) Close() {
	if a.door != nil {
		a.door.Close()
	}
}
