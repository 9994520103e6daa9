package tally

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// OutOfMemory writes into the report which request for memory could not be met, if that is what the
// error is about. r.Error is filled in before.
func OutOfMemory(err error, r *report.Run) {
	var exhausted *budget.ExhaustedError
	if errors.As(err, &exhausted) {
		l := exhausted.Limiting
		domain := l.Domain.String()
		r.OutOfMemory = &report.OutOfMem{Frame: &exhausted.Frame, RequestedBytes: exhausted.Bytes, UsageBytes: &l.Usage, BudgetBytes: &l.Budget,
			PendingReclaimBytes: &l.Pending, Domain: &domain, Call: "budget guard"}
	}
	var oom *gpu.OutOfMemoryError
	if r.OutOfMemory == nil && errors.As(err, &oom) {
		r.OutOfMemory = &report.OutOfMem{Frame: r.Error.Frame, RequestedBytes: oom.Requested, Call: oom.Call, Code: oom.Code}
		var refusal *wddm.Refusal
		if errors.As(err, &refusal) {
			domain := refusal.Domain.String()
			r.OutOfMemory.Domain = &domain
			r.OutOfMemory.UsageBytes, r.OutOfMemory.BudgetBytes, r.OutOfMemory.PendingReclaimBytes = &refusal.Usage, &refusal.Budget, &refusal.Pending
		}
	}
}

// ExplainOOM says what an emulated card refused so that a stranger understands it.
func ExplainOOM(r *wddm.Refusal, oom *gpu.OutOfMemoryError) string {
	s := fmt.Sprintf("the emulated card (%s) refused %s bytes %s: %s of the %s that may be in use are",
		r.Profile, humanize.Comma(oom.Requested), purpose(oom.Call), budget.FormatBytes(r.Usage), budget.FormatBytes(r.Budget))
	if r.Pending > 0 {
		s += fmt.Sprintf("; %s of that is freed but not reclaimed yet", budget.FormatBytes(r.Pending))
	}
	if r.Sticky {
		s += "; pinned memory was refused before, and is refused from then on"
	}
	return s
}

// purpose is what memory was asked for, by the call. In ballast mode the call is the driver's, which
// stands for whatever the program asked.
func purpose(call string) string {
	switch call {
	case "cuMemAlloc (emulated)":
		return "of device memory"
	case "cuDevicePrimaryCtxRetain (emulated)":
		return "for the context of this program"
	}
	return "of pinned memory"
}
