package report

import "fmt"

// laneStep is the height that a guard's lane takes, in pixels.
const laneStep = 18.0

// phase is a stretch of frames over which a guard was in one phase.
type phase struct {
	from, to int64
	name     string
}

var phaseRank = map[string]int{"throttle": 1, "hold": 2, "exhausted": 3}

// phases turns transitions into stretches; the clear ones are left out. Time passes while a frame is
// held, frames do not: such a stretch has no length, and is drawn as a tick.
func phases(t []Transition, last int64) (out []phase) {
	for i, x := range t {
		end := last
		if i+1 < len(t) {
			end = t[i+1].Frame
		}
		if phaseRank[x.To] > 0 {
			out = append(out, phase{x.Frame, max(end, x.Frame), x.To})
		}
	}
	return out
}

// guards draws below the frames what each guard was doing: a lane with a stretch for each phase, the
// worst of them uppermost.
func (c *usageChart) guards() {
	for i, l := range c.lanes {
		y := c.bottom + 34 + laneStep*float64(i)
		c.line("lane", leftMargin, y+5, c.right, y+5)
		c.text("tick", "start", 0, y+9, "guard")
		if c.wide && len(c.lanes) > 1 {
			c.text(fmt.Sprintf("name ink%d", l.m.color), "start", c.right+16, y+9, clip(l.m.label, rightMargin-16))
		}
		all := phases(l.m.Budget.Transitions, l.samples[len(l.samples)-1].Frame)
		for rank := 1; rank <= 3; rank++ {
			c.stretches(all, rank, y)
		}
	}
}

// stretches draws those of one rank, and leaves out those that would cover the same pixel again.
func (c *usageChart) stretches(all []phase, rank int, y float64) {
	drawn := -1.0
	for _, p := range all {
		if phaseRank[p.name] != rank {
			continue
		}
		from := max(c.x.at(float64(p.from)), leftMargin)
		to := min(max(c.x.at(float64(p.to)), from+1.5), c.right)
		if to <= drawn+0.5 {
			continue
		}
		c.rect("phase "+p.name, from, y, max(to-from, 1.5), 10)
		drawn = to
	}
}
