package report

import "fmt"

// costs tells what churn cost in time. An emulated card on the CPU device pins nothing, so that its
// times say nothing about pinning.
func costs(g *group) []Finding {
	c, b := g.plainChurn(), g.base()
	if c == nil || b == nil || !finished(c.Run) || g.emulated && (g.device == nil || g.device.Kind == "cpu") {
		return nil
	}
	what, slow, fast := "the transfer path alone", c.TransferFPS, b.TransferFPS
	own, ok1 := known(slow)
	ref, ok2 := known(fast)
	if !ok1 || !ok2 {
		what = "the whole run"
		own, ok1 = known(c.FPS)
		ref, ok2 = known(b.FPS)
	}
	if !ok1 || !ok2 || own <= 0 || ref <= 0 {
		return nil
	}
	pace := fmt.Sprintf("%s made %s fps with churn and %s with reuse", what, rate(own), rate(ref))
	switch f := ref / own; {
	case f >= slower:
		return []Finding{g.finding(ChurnCostsTime, fmt.Sprintf("churn costs time: %s times slower", factor(f)),
			fmt.Sprintf("%s, churn costs time: %s, which is %s times slower.%s%s", g.where(), pace, factor(f), wholeRun(what, c.Run, b.Run), perFrame(c.Run)))}
	case f > 1/slower:
		return []Finding{g.finding(ChurnCostsNone, "churn cost no time that could be measured",
			fmt.Sprintf("%s, churn cost no time that could be measured: %s.", g.where(), pace))}
	}
	return []Finding{g.finding(ChurnCostsNone, "churn was not slower",
		fmt.Sprintf("%s, churn was not slower: %s. Repeat with a longer input before building on that.", g.where(), pace))}
}

// slower is the factor from which a difference in speed is told as one.
const slower = 1.05

// wholeRun adds the speed of the whole run where the finding was about the transfer path.
func wholeRun(told string, c, b *Run) string {
	own, ok1 := known(c.FPS)
	ref, ok2 := known(b.FPS)
	if told == "the whole run" || !ok1 || !ok2 {
		return ""
	}
	return fmt.Sprintf(" The whole run made %s instead of %s fps.", rate(own), rate(ref))
}

// perFrame is what each allocation and free took.
func perFrame(c *Run) string {
	r := busier(c)
	if r == nil || r.AllocMicros == nil || r.FreeMicros == nil {
		return ""
	}
	return fmt.Sprintf(" Half of its allocations took more than %s and half of its frees more than %s.", micros(r.AllocMicros.P50), micros(r.FreeMicros.P50))
}

// failures tells of runs whose end has nothing to do with memory, since their rows are incomplete.
func failures(g *group) (out []Finding) {
	for i := range g.members {
		m := &g.members[i]
		switch m.Outcome {
		case OK, OOM:
		case Lost:
			text := fmt.Sprintf("%s, %s finished, but frames were lost", g.where(), m.label)
			if m.Frames != nil && m.Frames.Discarded > 0 {
				text += fmt.Sprintf(": %s", count(m.Frames.Discarded))
			}
			out = append(out, g.finding(LostFrames, m.label+" lost frames", text+"."))
		case Interrupted:
			out = append(out, g.finding(RunFailed, m.label+" was interrupted", fmt.Sprintf(
				"%s, %s was interrupted after %s: its figures are those up to there.", g.where(), m.label, plural(delivered(m.Run), "frame"))))
		default:
			out = append(out, g.finding(RunFailed, m.label+" failed", failureText(g, m)))
		}
	}
	return out
}

func failureText(g *group, m *member) string {
	text := fmt.Sprintf("%s, %s failed", g.where(), m.label)
	if e := m.Error; e != nil {
		text += atFrame(m.Run)
		if e.Message != "" {
			text += ": " + e.Message
		}
	}
	return text + ". It says nothing about memory."
}

// nothing is said when there is nothing else to say.
func nothing(g *group) Finding {
	m := &g.members[0]
	if len(g.members) > 1 {
		return g.finding(NothingToCompare, "nothing stands out", fmt.Sprintf(
			"%s, nothing stands out in what was measured.", g.where()))
	}
	text := fmt.Sprintf("%s, %s finished%s; there is no other run to compare it with.", g.where(), m.label, framesOf(m.Run))
	return g.finding(NothingToCompare, m.label+" finished", text)
}

// emulation says what the figures are.
func emulation(g *group) Finding {
	name := "an emulated card"
	if g.profile != nil {
		name = "the emulated card " + g.profile.Profile
	}
	text := "The memory figures of " + name + " come from a model of such a card. They were not measured on one."
	if g.profile != nil && g.profile.Mode == "ballast" {
		text = "The budget of " + name + " is a model's; a real card was filled up to it, so that refusals came from the driver itself."
	}
	return g.finding(Emulated, "what these figures are", text)
}
