package wddm

import (
	"math/bits"
	"time"

	"github.com/pinring/pinring/budget"
)

// ledger keeps the books of one process on a card: what is charged, what was freed and is not
// reclaimed, and what time it is. It has no lock, reads no clock and knows no device, so that the
// same calls always give the same books.
type ledger struct {
	p       Params
	now     time.Duration
	live    amounts // made and not freed, the context included
	pending amounts // freed and not reclaimed
	peers   amounts // of other processes of a shared card

	frees    schedule // booked to be freed: live becomes pending
	reclaims schedule // booked to be reclaimed

	level   amounts // what may be in use in each domain; 0 does not limit
	settled bool    // the set-up is over
	refused bool    // a request for pinned memory was refused

	frame     int64 // admitted last; -1 before the first
	ordinal   int64 // allocations that this frame made
	rateNum   int64 // frames per second, rateNum ÷ rateDen
	rateDen   int64
	waits     time.Duration // all that was waited, media clock
	open      []openFrame
	lastEvent time.Duration // when usage last changed, or will have
}

// openFrame is an admitted frame that holds memory, or may still take some.
type openFrame struct {
	index  int64
	freeAt time.Duration // when its memory is booked to be free
	live   int           // its buffers that are not freed
	ended  bool
}

// entry is one buffer in the books.
type entry struct {
	amt    amounts
	frame  int64         // that made it; -1 outside frames
	freeAt time.Duration // not to be booked free earlier
	delay  time.Duration // from free to reclaimed
}

func newLedger(p Params) *ledger {
	l := &ledger{p: p, frame: -1, rateNum: 30, rateDen: 1}
	l.live[budget.DeviceLocal] = p.Context
	l.level = amounts{
		budget.DeviceLocal:  min(p.Total, p.Others+p.Budget),
		budget.DeviceShared: p.sharedTotal(),
		budget.HostRAM:      p.RAM,
	}
	if p.Budget == 0 {
		l.setHeadroom()
	}
	return l
}

// setHeadroom makes the budget what is in use plus the headroom.
func (l *ledger) setHeadroom() {
	own := l.live[budget.DeviceLocal] + l.pending[budget.DeviceLocal]
	l.level[budget.DeviceLocal] = min(l.p.Total, l.p.Others+l.p.Resident+own+l.p.Headroom)
}

// settle ends the set-up.
func (l *ledger) settle() {
	if !l.settled && l.p.Budget == 0 {
		l.setHeadroom()
	}
	l.settled = true
}

// frameTime is when frame n would be admitted if nothing was waited: n ÷ rate, to the nanosecond.
func (l *ledger) frameTime(n int64) time.Duration {
	hi, lo := bits.Mul64(uint64(n), uint64(l.rateDen)*uint64(time.Second))
	if hi >= uint64(l.rateNum) {
		return 1<<63 - 1
	}
	q, _ := bits.Div64(hi, lo, uint64(l.rateNum))
	return time.Duration(min(q, 1<<62))
}

// begin admits frame n at time t.
func (l *ledger) begin(n int64, t time.Duration) {
	l.advance(t)
	l.frame, l.ordinal = n, 0
	l.prune()
	l.open = append(l.open, openFrame{index: n, freeAt: t + l.frameTime(n+int64(l.p.InFlight)) - l.frameTime(n)})
}

// end says that the frame's memory is freed, or kept for good.
func (l *ledger) end(n int64) {
	for i := range l.open {
		if l.open[i].index == n {
			l.open[i].ended = true
		}
	}
}

// prune forgets frames that hold nothing.
func (l *ledger) prune() {
	kept := l.open[:0]
	for _, f := range l.open {
		if f.live > 0 && !f.ended {
			kept = append(kept, f)
		}
	}
	l.open = kept
}

// blocked reports whether time must not reach t yet, because a frame whose memory is booked to be
// free by then has not freed it.
func (l *ledger) blocked(t time.Duration) bool {
	for i := range l.open {
		f := &l.open[i]
		if f.live > 0 && !f.ended && f.freeAt <= t {
			return true
		}
	}
	return false
}

// advance lets time pass until t.
func (l *ledger) advance(t time.Duration) {
	if t < l.now {
		return
	}
	if l.p.pressureAt(l.now) != l.p.pressureAt(t) {
		l.lastEvent = t
	}
	l.now = t
	for d, ok := l.frees.pop(t); ok; d, ok = l.frees.pop(t) {
		l.live, l.pending = minus(l.live, d.amt), plus(l.pending, d.amt)
	}
	for d, ok := l.reclaims.pop(t); ok; d, ok = l.reclaims.pop(t) {
		l.pending = minus(l.pending, d.amt)
	}
}

// idle reports that nothing is booked to change.
func (l *ledger) idle() bool {
	return len(l.frees) == 0 && len(l.reclaims) == 0 && !l.p.pressureAfter(l.now)
}

// alloc books a buffer, or refuses. delay is how long after its free it is reclaimed.
func (l *ledger) alloc(amt amounts, delay time.Duration, host bool) (entry, *Refusal) {
	if l.frame >= 0 {
		l.settle()
	}
	if host && l.p.Sticky && l.refused && amt != (amounts{}) {
		d, _ := l.tightest(amt)
		return entry{}, l.refusal(d, amt, true)
	}
	if d, fits := l.tightest(amt); !fits {
		l.refused = l.refused || host
		return entry{}, l.refusal(d, amt, false)
	}
	return l.book(amt, delay, host), nil
}

// book enters a buffer that was granted. Host memory belongs to the frame that made it; device memory
// to none, and is free when it is freed.
func (l *ledger) book(amt amounts, delay time.Duration, host bool) entry {
	e := entry{amt: amt, frame: -1, delay: delay}
	l.live = plus(l.live, amt)
	if n := len(l.open); host && n > 0 && l.open[n-1].index == l.frame && !l.open[n-1].ended {
		f := &l.open[n-1]
		f.live++
		e.frame, e.freeAt = f.index, f.freeAt
	}
	if delay > 0 && l.p.ReclaimJitter > 0 {
		e.delay += jitter(l.p.Seed, l.frame, l.ordinal, l.p.ReclaimJitter)
	}
	l.ordinal++
	return e
}

// free books the end of a buffer: now, or when its frame is booked to be done on the media clock.
func (l *ledger) free(e entry) {
	at := max(l.now, e.freeAt)
	if l.p.Clock == WallClock {
		at = l.now
	}
	l.frees.push(due{at, e.amt})
	l.reclaims.push(due{at + e.delay, e.amt})
	l.lastEvent = max(l.lastEvent, at+e.delay)
	for i := range l.open {
		if f := &l.open[i]; f.index == e.frame {
			f.live--
		}
	}
	l.advance(l.now)
}

// undo takes a booking back that led to nothing.
func (l *ledger) undo(e entry) {
	l.live = minus(l.live, e.amt)
	for i := range l.open {
		if f := &l.open[i]; f.index == e.frame {
			f.live--
		}
	}
}

// own is what this process has in use: live and pending.
func (l *ledger) own() amounts { return plus(l.live, l.pending) }

// usage is all that is in use of a domain.
func (l *ledger) usage(d budget.Domain) int64 {
	u := l.p.fixed()[d] + l.live[d] + l.pending[d] + l.peers[d]
	if l.pressed(d) {
		u += l.p.pressureAt(l.now)
	}
	return u
}

// pressed reports whether pressure fills the domain: the one that pinned memory is charged to.
func (l *ledger) pressed(d budget.Domain) bool {
	switch d {
	case budget.DeviceLocal:
		return l.p.Segment != NonLocal
	case budget.DeviceShared:
		return l.p.Segment != Local
	}
	return false
}

// tightest finds the domain in which the request lacks most, or has least left, and reports whether
// it fits. Domains that the request does not touch do not count.
func (l *ledger) tightest(amt amounts) (worst budget.Domain, fits bool) {
	var least int64
	found := false
	for d := range budget.Domain(budget.NumDomains) {
		if amt[d] == 0 || l.level[d] == 0 {
			continue
		}
		if left := l.level[d] - l.usage(d) - amt[d]; !found || left < least {
			worst, least, found = d, left, true
		}
	}
	return worst, !found || least >= 0
}

func (l *ledger) refusal(d budget.Domain, amt amounts, sticky bool) *Refusal {
	return &Refusal{Profile: l.p.Profile, Domain: d, Frame: l.frame, At: l.now, Charge: amt[d], Usage: l.usage(d),
		Budget: l.level[d], Pending: l.pending[d], Sticky: sticky}
}

func plus(a, b amounts) amounts {
	for i := range a {
		a[i] += b[i]
	}
	return a
}

func minus(a, b amounts) amounts {
	for i := range a {
		a[i] -= b[i]
	}
	return a
}

// jitter is a number from 0 to most that depends on nothing but its arguments (splitmix64, Steele
// et al., "Fast splittable pseudorandom number generators", 2014).
func jitter(seed uint64, frame, ordinal int64, most time.Duration) time.Duration {
	x := seed + uint64(frame+2)*0x9e3779b97f4a7c15 + uint64(ordinal)*0xd1b54a32d192ed03
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return time.Duration(x % uint64(most+1))
}
