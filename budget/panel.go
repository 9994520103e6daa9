package budget

import (
	"fmt"
	"sync"
	"time"
)

// Panel reads several meters as one. Each has its own interval; in between, what was last read is
// kept and the bytes that we took ourselves ([Panel.Add]) are put on top. A meter that fails, or
// tells absurd values, is dropped once, with its reason, and tried again later. Safe for concurrent
// use.
type Panel struct {
	// OnMeter, when set before the first Read, is told when a meter is dropped and when it
	// works again. It must not call the panel.
	OnMeter func(MeterEvent)

	mu     sync.Mutex
	slots  []*slot
	events []MeterEvent
}

// MeterEvent says that a meter was dropped, or works again.
type MeterEvent struct {
	At      time.Duration
	Meter   string
	Dropped bool
	Reason  string // why it was dropped; empty when it works again
}

func (e MeterEvent) String() string {
	if e.Dropped {
		return fmt.Sprintf("budget: going on without %s: %s", e.Meter, e.Reason)
	}
	return fmt.Sprintf("budget: %s works again", e.Meter)
}

// MeterStatus is the present state of a meter.
type MeterStatus struct {
	Name    string
	Working bool
	Reason  string // why it does not work
	Reads   int64
	Fails   int64
}

const (
	firstRetry = 2 * time.Second
	lastRetry  = time.Minute
	// strikes is how often in a row a meter may fail, keeping its last reading, before it goes.
	strikes = 3
)

// slot is one meter with what was last read of it.
type slot struct {
	meter    Meter
	notifier Notifier // the meter again, nil when it is none
	interval time.Duration
	read     bool // asked at least once
	last     []Reading
	fresh    []Reading // the other buffer, so that a failed read does not destroy last
	next     time.Duration
	added    [NumDomains]int64 // our own bytes since last
	strikes  int
	dropped  bool
	reason   string
	retry    time.Duration
	reads    int64
	fails    int64
}

// NewPanel makes a panel without meters.
func NewPanel() *Panel { return &Panel{} }

// Attach adds a meter that is asked at most once per interval; 0 asks at every Read. A meter with
// an interval is asked earlier when the bytes added since then exceed an eighth of its headroom, or
// when it is a [Notifier] and tells of a change.
func (p *Panel) Attach(m Meter, interval time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, _ := m.(Notifier)
	p.slots = append(p.slots, &slot{meter: m, notifier: n, interval: interval})
}

// Add puts bytes (negative when freed) on top of what the meters of d said last, until they are
// asked again. Do not subtract memory that the system reclaims later than it is freed.
func (p *Panel) Add(d Domain, bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.slots {
		s.added[d] += bytes
	}
}

// Read appends the readings of all working meters at the time now to buf and returns it. It does
// not allocate once buf is large enough.
func (p *Panel) Read(now time.Duration, buf []Reading) []Reading {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.slots {
		if s.due(now) {
			p.ask(s, now)
		}
		buf = s.appendTo(buf)
	}
	return buf
}

// Status describes the meters. It allocates.
func (p *Panel) Status() []MeterStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []MeterStatus
	for _, s := range p.slots {
		all = append(all, MeterStatus{Name: s.meter.Name(), Working: s.read && !s.dropped, Reason: s.reason, Reads: s.reads, Fails: s.fails})
	}
	return all
}

// Events returns what OnMeter was told so far. It allocates.
func (p *Panel) Events() []MeterEvent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]MeterEvent(nil), p.events...)
}

func (s *slot) due(now time.Duration) bool {
	if !s.read || now >= s.next {
		return true
	}
	if s.dropped {
		return false
	}
	for i := range s.last {
		r := &s.last[i]
		if a := s.added[r.Domain]; a > 0 && a > r.Headroom/8 {
			return true
		}
	}
	return s.notifier != nil && s.notifier.Changed()
}

// ask reads one meter and keeps the answer when it can be true.
func (p *Panel) ask(s *slot, now time.Duration) {
	s.reads++
	s.read = true
	got, err := s.meter.Read(s.fresh[:0])
	for i := 0; err == nil && i < len(got); i++ {
		got[i].At = now
		err = got[i].Check()
	}
	if err != nil {
		p.failed(s, now, err)
		return
	}
	if s.dropped {
		s.dropped, s.reason = false, ""
		p.tell(MeterEvent{At: now, Meter: s.meter.Name()})
	}
	s.fresh, s.last = s.last, got
	s.added = [NumDomains]int64{}
	s.strikes, s.retry = 0, 0
	s.next = now + s.interval
}

// failed keeps the last reading for a while; then, or when there is none, the meter is dropped, and
// tried again at growing intervals.
func (p *Panel) failed(s *slot, now time.Duration, err error) {
	s.fails++
	s.strikes++
	if !s.dropped && len(s.last) > 0 && s.strikes < strikes {
		s.next = now + max(s.interval, time.Millisecond)
		return
	}
	if !s.dropped {
		s.dropped, s.reason = true, err.Error()
		s.last = s.last[:0]
		p.tell(MeterEvent{At: now, Meter: s.meter.Name(), Dropped: true, Reason: s.reason})
	}
	s.retry = min(max(2*s.retry, firstRetry), lastRetry)
	s.next = now + s.retry
}

func (p *Panel) tell(e MeterEvent) {
	const most = 1000
	if len(p.events) < most {
		p.events = append(p.events, e)
	}
	if p.OnMeter != nil {
		p.OnMeter(e)
	}
}

// appendTo appends the last readings with our own bytes since then.
func (s *slot) appendTo(buf []Reading) []Reading {
	for _, r := range s.last {
		r.Usage = max(r.Usage+s.added[r.Domain], 0)
		r.Pending = min(r.Pending, r.Usage)
		r.Headroom = r.Budget - r.Usage
		buf = append(buf, r)
	}
	return buf
}
