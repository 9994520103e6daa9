package wddm

import (
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// Mode is how a request is refused.
type Mode uint8

// The modes.
const (
	LedgerMode  Mode = iota // by arithmetic
	BallastMode             // by the driver, on a real card that a [Backend] has filled
)

// ClockKind is the time that the reclaim delay runs in.
type ClockKind uint8

// The clocks.
const (
	MediaClock ClockKind = iota // virtual: frame index ÷ rate, plus waits
	WallClock
)

// Segment is where pinned memory is charged.
type Segment uint8

// The segments.
const (
	Local Segment = iota
	NonLocal
	Both
)

var (
	modeNames    = []string{"ledger", "ballast"}
	clockNames   = []string{"media", "wall"}
	segmentNames = []string{"local", "nonlocal", "both"}
)

func (m Mode) String() string      { return nameOf(modeNames, int(m)) }
func (c ClockKind) String() string { return nameOf(clockNames, int(c)) }
func (s Segment) String() string   { return nameOf(segmentNames, int(s)) }

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}

// Pressure is memory that other programs take for a while.
type Pressure struct {
	Bytes int64
	At    time.Duration
	For   time.Duration // 0 is "for good"
}

// Params describe an emulated card. Sizes are bytes. Start from a profile ([Lookup], [Parse]).
type Params struct {
	Profile string // the profile's name
	Mode    Mode
	Clock   ClockKind
	Segment Segment
	Card    string // shared by the processes that name it; empty is private

	Total    int64 // of the card
	Others   int64 // the desktop, browsers
	Context  int64 // of this process
	Resident int64 // the model's weights, for example
	Budget   int64 // of this process, context and resident included; 0: see Headroom
	Headroom int64 // instead of Budget: what is free once the set-up is over

	SharedTotal    int64 // limit of NON_LOCAL; 0 is half of RAM
	SharedOthers   int64
	SharedResident int64
	RAM            int64 // 0: host RAM does not limit
	RAMOthers      int64

	ChargeSmall, ChargeLarge float64 // charge ratios, see the package comment
	Managed, Mapped          float64 // share of the ratio that those kinds are charged

	Reclaim       time.Duration // how long freed pinned memory stays in use
	ReclaimJitter time.Duration // up to this much longer, by Seed and the frame that allocated
	Seed          uint64
	Sticky        bool // after one refusal of pinned memory all are refused
	Pressure      []Pressure

	// InFlight is how many frames after its admission a frame's memory is booked to be free.
	InFlight int
}

// Where the two measured charge ratios end and begin.
const (
	smallEnd   = 512 * budget.MiB
	largeBegin = budget.GiB
)

// Ratio is the charge for a byte of a pinned allocation of that size.
func (p *Params) Ratio(bytes int64) float64 {
	switch {
	case bytes <= smallEnd:
		return p.ChargeSmall
	case bytes >= largeBegin:
		return p.ChargeLarge
	}
	t := float64(bytes-smallEnd) / float64(largeBegin-smallEnd)
	return p.ChargeSmall + t*(p.ChargeLarge-p.ChargeSmall)
}

// Charge is what host memory of that size and kind is charged, in bytes, rounded up.
func (p *Params) Charge(bytes int64, kind gpu.HostKind) int64 {
	share := 1.0
	switch kind {
	case gpu.Pageable:
		return 0
	case gpu.Managed:
		share = p.Managed
	case gpu.Mapped:
		share = p.Mapped
	}
	return ceil(float64(bytes) * p.Ratio(bytes) * share)
}

// ceil rounds up, but not for what is only the last bit of a product of decimal fractions.
func ceil(f float64) int64 {
	n := int64(f)
	if f-float64(n) > 1e-6 {
		n++
	}
	return n
}

// amounts are bytes by domain.
type amounts [budget.NumDomains]int64

// hostAmounts is what host memory costs each domain.
func (p *Params) hostAmounts(bytes int64, kind gpu.HostKind) (a amounts) {
	c := p.Charge(bytes, kind)
	if p.Segment != NonLocal {
		a[budget.DeviceLocal] = c
	}
	if p.Segment != Local {
		a[budget.DeviceShared] = c
	}
	if c > 0 {
		a[budget.HostRAM] = bytes
	}
	return a
}

// fixed is what is in use before this process allocates anything, without its context.
func (p *Params) fixed() amounts {
	return amounts{
		budget.DeviceLocal:  p.Others + p.Resident,
		budget.DeviceShared: p.SharedOthers + p.SharedResident,
		budget.HostRAM:      p.RAMOthers,
	}
}

// sharedTotal is the limit of NON_LOCAL, 0 when it does not limit.
func (p *Params) sharedTotal() int64 {
	if p.SharedTotal > 0 {
		return p.SharedTotal
	}
	return p.RAM / 2
}

// pressureAt is what other programs have taken at t.
func (p *Params) pressureAt(t time.Duration) int64 {
	var sum int64
	for _, x := range p.Pressure {
		if t >= x.At && (x.For == 0 || t < x.At+x.For) {
			sum += x.Bytes
		}
	}
	return sum
}

// pressureAfter reports whether the pressure will change after t.
func (p *Params) pressureAfter(t time.Duration) bool {
	for _, x := range p.Pressure {
		if t < x.At || x.For > 0 && t < x.At+x.For {
			return true
		}
	}
	return false
}
