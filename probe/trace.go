package probe

import (
	"time"

	"github.com/pinring/pinring/budget"
)

// Trace is what one meter said of one domain while memory was held and freed. Usages are bytes.
type Trace struct {
	Source, Twin string
	Domain       budget.Domain
	Emulated     bool
	Before       int64 // before the allocation
	Held         int64 // while it was there
	Freed        int64 // straight after the free
	Budget       int64 // before the allocation
	// Returned says that usage came back to what it was: at the latest After the free had returned, and
	// not before After - Resolution, when it was last seen away. Only growth that was watched can return.
	Watched    bool
	Returned   bool
	After      time.Duration
	Resolution time.Duration
}

// Growth is by how much usage grew, negative when it shrank.
func (t *Trace) Growth() int64 { return t.Held - t.Before }

// ofDevice is what experiments watch: host RAM changes by what everybody does.
func (t *Trace) ofDevice() bool { return t.Domain.OfDevice() }

// slack is by how much usage may miss what it was and still be back: other programs take and give
// memory meanwhile. A quarter of the growth at most.
func slack(growth int64) int64 {
	const noise = 16_000_000
	return min(max(growth/20, noise), growth/4)
}

// Charged reports whether a growth is more than noise for an allocation of bytes: a twentieth of it.
func Charged(growth, bytes int64) bool { return growth > 0 && growth >= bytes/20 }

// begin makes traces of what the meters say before an allocation.
func begin(readings []budget.Reading) []Trace {
	traces := make([]Trace, len(readings))
	for i, r := range readings {
		traces[i] = Trace{Source: r.Source, Twin: r.Twin, Domain: r.Domain, Emulated: r.Emulated, Before: r.Usage, Held: r.Usage, Freed: r.Usage, Budget: r.Budget}
	}
	return traces
}

// follow hands each trace its reading. A reading that is missing keeps what was there.
func follow(traces []Trace, readings []budget.Reading, set func(t *Trace, usage int64)) {
	for i := range traces {
		t := &traces[i]
		for _, r := range readings {
			if r.Source == t.Source && r.Domain == t.Domain {
				set(t, r.Usage)
			}
		}
	}
}
