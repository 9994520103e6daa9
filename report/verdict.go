package report

import "slices"

// Finding is one conclusion from the runs.
type Finding struct {
	Code     string `json:"code"` // for scripts, one of the constants
	Emulated bool   `json:"emulated"`
	Title    string `json:"title"`
	Text     string `json:"text"`
}

// The codes of findings.
const (
	Exhausts         = "exhausts"           // a mode without the guard ran out of memory
	ReuseExhausts    = "reuse_exhausts"     // the ring itself does not fit
	Cause            = "pinned_cause"       // the growth vanishes with pageable memory
	PartCause        = "pinned_part_cause"  // some of it does
	NotCause         = "pinned_not_cause"   // it does not vanish
	GuardKept        = "guard_kept_alive"   // churn with the guard finished where it failed without
	GuardActed       = "guard_acted"        // the guard delayed frames
	GuardIdle        = "guard_idle"         // it had no reason to
	GuardFailed      = "guard_failed"       // out of memory with the guard on
	StillGrowing     = "still_growing"      // churn finished, but usage had not settled
	Room             = "room"               // the growth ends before the budget does
	NoGrowth         = "no_growth"          // churn takes no memory here
	CPUDevice        = "cpu_device"         // there is no card that could run out
	ChurnCostsTime   = "churn_costs_time"   // with the factor
	ChurnCostsNone   = "churn_costs_none"   // not measurably
	SharedLimits     = "shared_limits"      // shared GPU memory is what limits
	HostLimits       = "host_limits"        // host RAM is
	DeviceRoom       = "device_room"        // the largest device allocation differs between modes
	RunFailed        = "run_failed"         // a run ended with another error, or was interrupted
	LostFrames       = "frames_lost"        // a run finished without some frames
	NothingToCompare = "nothing_to_compare" // no other finding
	Emulated         = "emulated"           // what the emulation means for the figures
)

// rule draws conclusions from the runs on one card. A rule claims only what it finds in the data.
type rule func(g *group) []Finding

// rules are in the order in which a reader wants to know.
var rules = []rule{
	exhausts, reuseExhausts, cause, growth, costs, guardSaves, segment, deviceRoom, failures,
}

// severity orders codes for the headline; what is not listed never leads while something listed is
// there.
var severity = []string{
	Exhausts, ReuseExhausts, GuardFailed, StillGrowing, Room, ChurnCostsTime, NoGrowth, CPUDevice, ChurnCostsNone,
	Cause, PartCause, NotCause, GuardKept, GuardActed, RunFailed, LostFrames, NothingToCompare,
}

// Judge says in plain words what the runs show, card by card. It is a pure function of the runs.
// Whatever comes from an emulated card says so. The result is empty, not nil, without runs.
func Judge(runs []Run) []Finding {
	findings := []Finding{}
	for _, g := range groups(runs) {
		var own []Finding
		for _, r := range rules {
			own = append(own, r(g)...)
		}
		if len(own) == 0 {
			own = append(own, nothing(g))
		}
		if g.emulated {
			own = append(own, emulation(g))
		}
		findings = append(findings, own...)
	}
	return findings
}

// headline is the index of the finding that matters most, -1 without findings.
func headline(f []Finding) int {
	for _, code := range severity {
		if i := slices.IndexFunc(f, func(x Finding) bool { return x.Code == code }); i >= 0 {
			return i
		}
	}
	return min(len(f), 1) - 1
}

// finding makes one; the title gets the group's mark.
func (g *group) finding(code, title, text string) Finding {
	return Finding{Code: code, Emulated: g.emulated, Title: g.mark(title), Text: text}
}
