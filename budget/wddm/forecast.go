package wddm

import (
	"math"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// Forecast is what churn comes to, by arithmetic.
type Forecast struct {
	// Frames is how many frames' buffers are charged at once in the steady state: those in
	// flight, and those whose memory is pending (rate × reclaim).
	Frames int64
	// Peak is the bytes charged then; it is rate × charge × reclaim, and what is in flight.
	Peak     int64
	Headroom int64         // bytes free once the set-up is over
	Domain   budget.Domain // that limits
	// FailsAt is the frame whose allocation is refused, -1 when none is.
	FailsAt int64
}

// Forecast is the closed form of allocating and freeing one pinned buffer per frame, at a rate of
// num ÷ den frames per second, on a private card without jitter and pressure. Memory of the
// set-up is not counted, except where the profile gives the headroom that remains after it.
func (p *Params) Forecast(bytes int64, kind gpu.HostKind, num, den int64) Forecast {
	l := newLedger(*p)
	l.rateNum, l.rateDen = num, den
	amt := p.hostAmounts(bytes, kind)
	f := Forecast{FailsAt: -1}
	f.Domain, _ = l.tightest(amt)
	charge := amt[f.Domain]
	f.Headroom = l.level[f.Domain] - l.usage(f.Domain)
	// When frame n allocates, frame k is charged while k + in-flight + reclaim × rate > n.
	f.Frames = int64(p.InFlight) + int64(math.Ceil(p.Reclaim.Seconds()*float64(num)/float64(den)-1e-9))
	f.Peak = f.Frames * charge
	if charge > 0 && f.Peak > f.Headroom {
		f.FailsAt = max(f.Headroom, 0) / charge
	}
	return f
}
