package budget

import (
	"fmt"
	"time"
)

// Reading is what a meter says about one domain. Usage and Budget are estimates, in bytes.
type Reading struct {
	Domain   Domain
	Usage    int64
	Budget   int64 // the usage at which requests begin to fail
	Headroom int64 // Budget - Usage; negative when over budget
	// Pending is the part of Usage that was freed and is not reclaimed yet; 0 where unknown.
	Pending int64
	// Source names the meter's question: "cuMemGetInfo", "DXGI LOCAL".
	Source string
	// Twin is where a person sees the same number outside: "nvidia-smi Memory-Usage".
	Twin string
	// Emulated numbers were computed by us and are shown as such.
	Emulated bool
	// At is when it was taken, on the panel's clock.
	At time.Duration
}

// MakeReading fills in the headroom.
func MakeReading(d Domain, usage, budget int64, source, twin string) Reading {
	return Reading{Domain: d, Usage: usage, Budget: budget, Headroom: budget - usage, Source: source, Twin: twin}
}

// mostBytes is beyond any machine of today: 1 PiB.
const mostBytes = 1 << 50

// Check says why a reading cannot be true, nil when it can. Drivers have been seen to report a
// budget of 0 or of all ones; acting on that would stop a program, or let it run into the wall.
func (r *Reading) Check() error {
	switch {
	case r.Domain >= NumDomains:
		return fmt.Errorf("%s reports the unknown domain %d", r.Source, r.Domain)
	case r.Budget <= 0:
		return fmt.Errorf("%s reports a budget of %d bytes for %s", r.Source, r.Budget, r.Domain.Title())
	case r.Budget > mostBytes:
		return fmt.Errorf("%s reports a budget of %d bytes for %s, more than any machine has", r.Source, r.Budget, r.Domain.Title())
	case r.Usage < 0 || r.Usage > mostBytes:
		return fmt.Errorf("%s reports %d bytes in use of %s", r.Source, r.Usage, r.Domain.Title())
	case r.Headroom != r.Budget-r.Usage:
		return fmt.Errorf("%s reports a headroom of %d bytes that is not budget minus usage (%d)", r.Source, r.Headroom, r.Budget-r.Usage)
	case r.Pending < 0 || r.Pending > r.Usage:
		return fmt.Errorf("%s reports %d bytes waiting for reclaim of %d in use", r.Source, r.Pending, r.Usage)
	}
	return nil
}

// String is the reading as a line for people.
func (r Reading) String() string {
	s := fmt.Sprintf("%s: %s of %s in use, %s left (%s", r.Domain.Title(),
		FormatBytes(r.Usage), FormatBytes(r.Budget), FormatBytes(r.Headroom), r.Source)
	if r.Twin != "" {
		s += "; compare " + r.Twin
	}
	return s + ")"
}

// Worst returns the reading with the least headroom, false when there is none.
func Worst(readings []Reading) (Reading, bool) {
	if len(readings) == 0 {
		return Reading{}, false
	}
	w := 0
	for i := range readings {
		if readings[i].Headroom < readings[w].Headroom {
			w = i
		}
	}
	return readings[w], true
}
