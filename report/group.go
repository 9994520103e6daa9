package report

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// The staging modes that the verdict knows by name.
const (
	reuse    = "reuse"
	pageable = "pageable"
	churn    = "churn"
)

// member is a run in its group.
type member struct {
	*Run
	label string // unique in the group: "churn + guard"
	color int    // index of its colour, unique in the group
}

// group is the runs that can be compared with one another: those on the same card, real or emulated.
type group struct {
	emulated bool
	profile  *Emulation // nil when real or not known
	device   *Device    // nil when no run got that far
	members  []member
}

// groups sorts runs by card, in order of appearance. A run that failed before it knew its device is
// taken for one on the real machine.
func groups(runs []Run) []*group {
	var all []*group
	byKey := map[string]*group{}
	for i := range runs {
		r := &runs[i]
		key := groupKey(r)
		g := byKey[key]
		if g == nil {
			g = &group{emulated: r.Emulated}
			byKey[key] = g
			all = append(all, g)
		}
		if g.device == nil {
			g.device = r.Device
		}
		if r.Emulated && g.profile == nil {
			g.profile = r.Emulation
		}
		g.members = append(g.members, member{Run: r})
	}
	for _, g := range all {
		g.name()
		g.paint()
	}
	return all
}

func groupKey(r *Run) string {
	switch {
	case !r.Emulated:
		return "real"
	case r.Emulation == nil:
		return "emulated"
	}
	e := r.Emulation
	return strings.Join([]string{"emulated", e.Profile, e.Mode, e.Clock, e.Segment}, "\x00")
}

// name gives the members labels: the staging mode, the guard where it makes the difference, the input
// where that does, and else a number.
func (g *group) name() {
	modes := map[string]map[string]bool{}
	for i := range g.members {
		m := &g.members[i]
		if modes[m.Staging] == nil {
			modes[m.Staging] = map[string]bool{}
		}
		modes[m.Staging][guardMode(m.Run)] = true
	}
	for i := range g.members {
		m := &g.members[i]
		m.label = m.Staging
		if m.label == "" {
			m.label = "run"
		}
		switch mode := guardMode(m.Run); {
		case mode == "on" && (m.Staging == churn || len(modes[m.Staging]) > 1):
			m.label += " + guard"
		case mode == "observe" && len(modes[m.Staging]) > 1:
			m.label += " + observer"
		}
	}
	if len(inputs(g)) > 1 {
		g.tellApart(func(m *member, _ int) string {
			if m.Input == nil {
				return ""
			}
			return ", " + path.Base(m.Input.Path)
		})
	}
	g.tellApart(func(_ *member, n int) string { return fmt.Sprintf(" #%d", n) })
}

// inputs are the names of what the members read.
func inputs(g *group) map[string]bool {
	names := map[string]bool{}
	for _, m := range g.members {
		if m.Input != nil {
			names[m.Input.Path] = true
		}
	}
	return names
}

// tellApart adds a suffix to labels that occur more than once. n counts equal labels from 1.
func (g *group) tellApart(suffix func(m *member, n int) string) {
	total := map[string]int{}
	for _, m := range g.members {
		total[m.label]++
	}
	seen := map[string]int{}
	for i := range g.members {
		m := &g.members[i]
		if total[m.label] > 1 {
			seen[m.label]++
			m.label += suffix(m, seen[m.label])
		}
	}
}

// The colours: each well-known way of staging keeps its own from report to report.
const colors = 8

func usualColor(r *Run) int {
	switch {
	case r.Staging == reuse:
		return 0
	case r.Staging == churn && !guarded(r):
		return 1
	case r.Staging == churn:
		return 2
	case r.Staging == pageable:
		return 3
	}
	return 4
}

// paint gives each member its usual colour or, when that is taken, the next free one.
func (g *group) paint() {
	taken := map[int]bool{}
	for i := range g.members {
		m := &g.members[i]
		m.color = usualColor(m.Run)
		for n := 0; taken[m.color] && n < colors; n++ {
			m.color = (m.color + 1) % colors
		}
		taken[m.color] = true
	}
}

// title says which card it is.
func (g *group) title() string {
	switch {
	case g.emulated && g.profile == nil:
		return "Emulated card"
	case g.emulated:
		return "Emulated card " + g.profile.Profile
	case g.device == nil:
		return "This machine"
	case g.device.Kind == "cpu":
		return "CPU device, " + g.device.Name
	}
	return g.device.Name
}

// where begins a sentence about the group. Anything emulated is called so in each of them.
func (g *group) where() string {
	switch {
	case g.emulated && g.profile == nil:
		return "On the emulated card"
	case g.emulated:
		return "On the emulated card " + g.profile.Profile
	case g.device == nil:
		return "On this machine"
	case g.device.Kind == "cpu":
		return "On the CPU device"
	}
	return "On " + g.device.Name
}

// playMark begins the title of a finding about an emulated card.
const playMark = "Emulated: "

// mark begins a title about the group.
func (g *group) mark(title string) string {
	if g.emulated {
		return playMark + title
	}
	return capital(title)
}

// unmarked is a title for a place that says in another way that something is emulated.
func unmarked(title string) string { return capital(strings.TrimPrefix(title, playMark)) }

// capital writes the first letter large.
func capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// detail says how the card is emulated, "" when it is real.
func (g *group) detail() string {
	if g.profile == nil {
		return ""
	}
	e := g.profile
	var parts []string
	for _, p := range []struct{ what, value string }{{"mode", e.Mode}, {"clock", e.Clock}, {"charged to", e.Segment}} {
		if p.value != "" {
			parts = append(parts, p.what+" "+p.value)
		}
	}
	return strings.Join(parts, ", ")
}

// find returns the first member that fits, nil when none does.
func (g *group) find(fits func(*Run) bool) *member {
	for i := range g.members {
		if fits(g.members[i].Run) {
			return &g.members[i]
		}
	}
	return nil
}

// base is what the others are measured against: the first run with reuse that finished.
func (g *group) base() *member {
	return g.find(func(r *Run) bool { return r.Staging == reuse && finished(r) })
}

func (g *group) plainChurn() *member {
	return g.find(func(r *Run) bool { return r.Staging == churn && !guarded(r) })
}

func (g *group) guardedChurn() *member {
	return g.find(func(r *Run) bool { return r.Staging == churn && guarded(r) })
}

func guardMode(r *Run) string {
	if r.Guard == nil {
		return ""
	}
	return r.Guard.Mode
}

func guarded(r *Run) bool { return guardMode(r) == "on" }

// finished reports whether the run came to the end of its input.
func finished(r *Run) bool { return r.Outcome == OK || r.Outcome == Lost }
