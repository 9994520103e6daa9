package purse

import (
	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/report"
)

// Account is what one run sees of a purse.
type Account struct {
	Purse  *Purse
	series tally.Series
	buf    []budget.Reading
}

// Sample notes usage and budget after frame n has taken its memory. Frames come in order.
func (a *Account) Sample(n int64) {
	p := a.Purse
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

// Tell writes into the report what the run saw, and what the guard saw and did.
func (a *Account) Tell(r *report.Run) {
	r.Series = a.series.Points
	if len(r.Series) > 0 {
		domain := a.Purse.domain.String()
		r.SeriesDomain = &domain
	}
	tally.Guard(a.Purse.Guard, r)
}
