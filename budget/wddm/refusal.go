package wddm

import (
	"fmt"
	"time"

	"github.com/pinring/pinring/budget"
)

// Refusal is why the emulated card refused a request. It is wrapped in the *gpu.OutOfMemoryError
// (errors.As).
type Refusal struct {
	Profile string
	Domain  budget.Domain
	Frame   int64 // admitted last; -1 before the first
	At      time.Duration
	Charge  int64 // what the request would have been charged in the domain
	Usage   int64 // in use when it came
	Budget  int64 // what may be in use
	Pending int64 // the part of Usage that was freed and is not reclaimed yet
	Sticky  bool  // refused because an earlier request was
	Err     error // what the driver said, ballast mode
}

func (r *Refusal) Error() string {
	s := fmt.Sprintf("emulated card %s: %s holds %s of %s, and this takes %s", r.Profile, r.Domain.Title(),
		budget.FormatBytes(r.Usage), budget.FormatBytes(r.Budget), budget.FormatBytes(r.Charge))
	if r.Pending > 0 {
		s += fmt.Sprintf("; %s of it is freed but not reclaimed yet", budget.FormatBytes(r.Pending))
	}
	if r.Sticky {
		s += "; pinned memory was refused before, and is refused from then on"
	}
	return s
}

// Unwrap is the driver's error in ballast mode.
func (r *Refusal) Unwrap() error { return r.Err }
