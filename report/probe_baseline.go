package report

import (
	"fmt"
	"math"
)

// compareProbes says what differs between two probes.
func compareProbes(then, now *Probe) *Baseline {
	b := &Baseline{Created: then.Created, Changes: []string{}, Facts: differing(then.conditions(), now.conditions()), Ratios: []BaselineRow{}}
	for _, f := range b.Facts {
		b.Changes = append(b.Changes, fmt.Sprintf("%s: %s, before %s.", f.Name, orUnknown(f.Now), orUnknown(f.Then)))
	}
	for i := range now.Rows {
		for j := range then.Rows {
			if r, ok := compareRows(&then.Rows[j], &now.Rows[i]); ok {
				b.Ratios = append(b.Ratios, r)
				b.Changes = append(b.Changes, r.changes()...)
			}
		}
	}
	b.Changes = append(b.Changes, churnChanges(then.Churn, now.Churn)...)
	return b
}

// conditions are the environment, and whether the card is a real one: figures of one that is emulated are no
// earlier ones of this machine.
func (p *Probe) conditions() []Fact {
	card := "a real one"
	switch {
	case p.Emulated && p.Emulation != nil:
		card = "emulated, " + p.Emulation.Profile
	case p.Emulated:
		card = "emulated"
	}
	return append([]Fact{{"card", card}}, p.Environment...)
}

func orUnknown(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}

// differing are the facts that are not the same on both sides.
func differing(then, now []Fact) []BaselineFact {
	out := []BaselineFact{}
	value := func(facts []Fact, name string) string {
		for _, f := range facts {
			if f.Name == name {
				return f.Value
			}
		}
		return ""
	}
	for _, f := range now {
		if old := value(then, f.Name); old != f.Value {
			out = append(out, BaselineFact{f.Name, old, f.Value})
		}
	}
	for _, f := range then {
		if value(now, f.Name) == "" && f.Value != "" {
			out = append(out, BaselineFact{f.Name, f.Value, ""})
		}
	}
	return out
}

func compareRows(then, now *ProbeRow) (BaselineRow, bool) {
	if then.Kind != now.Kind || then.Bytes != now.Bytes || then.DeviceDeltaBytes == nil && then.SharedDeltaBytes == nil ||
		now.DeviceDeltaBytes == nil && now.SharedDeltaBytes == nil {
		return BaselineRow{}, false
	}
	return BaselineRow{Kind: now.Kind, Bytes: now.Bytes,
		LocalThen: ratioOf(then.DeviceDeltaBytes, then.Bytes), LocalNow: ratioOf(now.DeviceDeltaBytes, now.Bytes),
		SharedThen: ratioOf(then.SharedDeltaBytes, then.Bytes), SharedNow: ratioOf(now.SharedDeltaBytes, now.Bytes),
		ReturnedThen: then.ReturnedAfter, ReturnedNow: now.ReturnedAfter}, true
}

// differs reports whether a charge changed by more than noise.
func (r *BaselineRow) differs() bool {
	return differ(r.LocalThen, r.LocalNow) || differ(r.SharedThen, r.SharedNow)
}

func differ(then, now float64) bool { return math.Abs(now-then) > 0.02 }

// changes says what changed of a row.
func (r *BaselineRow) changes() (out []string) {
	what := fmt.Sprintf("%s of %s memory", block(r.Bytes), r.Kind)
	for _, d := range []struct {
		domain    string
		then, now float64
	}{{"local", r.LocalThen, r.LocalNow}, {"shared", r.SharedThen, r.SharedNow}} {
		if differ(d.then, d.now) {
			out = append(out, fmt.Sprintf("%s: charged to %s at ratio %s, before %s.", what, domainName(d.domain), ratioText(d.now), ratioText(d.then)))
		}
	}
	a, b := r.ReturnedThen, r.ReturnedNow
	switch {
	case a == nil && b == nil:
	case a == nil:
		out = append(out, fmt.Sprintf("%s: returned after %s, before nothing was seen to return.", what, later(*b)))
	case b == nil:
		out = append(out, fmt.Sprintf("%s: nothing was seen to return, before it returned after %s.", what, later(*a)))
	case math.Abs(*a-*b) > 250 && math.Abs(*a-*b) > max(*a, *b)/5:
		out = append(out, fmt.Sprintf("%s: returned after %s, before %s.", what, later(*b), later(*a)))
	}
	return out
}

func churnChanges(then, now *ProbeFrames) []string {
	if then == nil || now == nil || then.Bytes != now.Bytes || then.Rate != now.Rate {
		return nil
	}
	end := func(f *ProbeFrames) string {
		if f.FailedAt == nil {
			return "did not fail"
		}
		return "failed at frame " + count(*f.FailedAt)
	}
	if a, b := end(then), end(now); a != b {
		return []string{fmt.Sprintf("A buffer for each frame %s, before it %s.", b, a)}
	}
	return nil
}
