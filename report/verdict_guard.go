package report

import "fmt"

// guardSaves tells what the guard did for churn, and at what price.
func guardSaves(g *group) (out []Finding) {
	for i := range g.members {
		m := &g.members[i]
		if m.Staging == churn && guarded(m.Run) {
			out = append(out, guardOutcome(g, m)...)
		}
	}
	return out
}

func guardOutcome(g *group, m *member) []Finding {
	if m.Outcome == OOM {
		return []Finding{g.finding(GuardFailed, "the guard did not prevent it"+atFrame(m.Run), fmt.Sprintf(
			"%s, %s ran out of memory%s%s. The guard did not prevent it.", g.where(), m.label, atFrame(m.Run), refusedText(m.Run)))}
	}
	if !finished(m.Run) {
		return nil
	}
	done := fmt.Sprintf("%s, %s finished%s%s.%s ", g.where(), m.label, framesOf(m.Run), headroomText(m.Run), degraded(m.Run))
	c := g.plainChurn()
	switch {
	case c != nil && c.Outcome == OOM:
		return []Finding{g.finding(GuardKept, "the guard kept churn alive, at a price", done+price(g, m.Run))}
	case acted(m.Run):
		return []Finding{g.finding(GuardActed, "the guard slowed churn down", done+price(g, m.Run))}
	case m.Budget != nil:
		return []Finding{g.finding(GuardIdle, "the guard had no reason to act",
			fmt.Sprintf("%s, the guard had no reason to act%s.", g.where(), headroomText(m.Run)))}
	}
	return nil
}

func acted(r *Run) bool {
	return r.Budget != nil && (r.Budget.ThrottledSeconds > 0 || len(r.Budget.Transitions) > 0)
}

func headroomText(r *Run) string {
	left, ok := leastHeadroom(r)
	if !ok {
		return ""
	}
	return fmt.Sprintf(", with %s of headroom at the worst", size(left))
}

// degraded says what the guard made the run do without.
func degraded(r *Run) string {
	if r.Budget == nil {
		return ""
	}
	levels := map[string]bool{}
	for _, t := range r.Budget.Transitions {
		levels[t.Level] = true
	}
	switch {
	case levels["pageable"]:
		return " On the way it went over to pageable memory."
	case levels["shrunk"]:
		return " On the way it went over to the smallest ring."
	}
	return ""
}

// price is the time that the guard took: on the clock that it waited on, which on an emulated card
// may be the media's.
func price(g *group, r *Run) string {
	if r.Budget == nil {
		return "What it cost was not measured."
	}
	clock := ""
	if g.profile != nil && g.profile.Clock == "media" {
		clock = " of media time"
	}
	s := fmt.Sprintf("The price: it held frames back for %s%s", seconds(r.Budget.ThrottledSeconds), clock)
	base := g.base()
	if base == nil {
		return s + "."
	}
	own, okOwn := readCurve(r.Series)
	ref, okRef := readCurve(base.Series)
	if okOwn && okRef && ref.seconds > 0 && own.seconds > ref.seconds {
		s += fmt.Sprintf(", so that the run took %s%s where reuse took %s (%s times as long)",
			seconds(own.seconds), clock, seconds(ref.seconds), factor(own.seconds/ref.seconds))
	}
	return s + "."
}
