package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
)

// usageChart draws usage against the budget over frames, a line for each run, with the ends of runs
// that did not finish, and below it what the guard was doing.
type usageChart struct {
	*svg
	g        *group
	lines    []usageLine
	x, y     scale
	win      window
	budget   [2]float64 // least and most
	wide     bool
	right    float64 // end of the plot
	top      float64
	bottom   float64
	lanes    []usageLine // runs with a guard that changed its phase
	endLabel []endLabel
}

// usageLine is one run's curve, at most [MostSamples] long.
type usageLine struct {
	m       member
	samples []Sample
}

// endLabel says why a curve ends early.
type endLabel struct {
	at   point
	text string
	row  int // 0 is nearest to the plot
	m    member
}

const (
	chartWide   = 880.0
	chartNarrow = 344.0
	leftMargin  = 62.0
	rightMargin = 128.0
	labelStep   = 16.0 // between texts that stand below one another
)

// drawUsage returns "" when no run measured anything.
func drawUsage(g *group, wide bool) template.HTML {
	lines := usageLines(g)
	if len(lines) == 0 {
		return ""
	}
	c := &usageChart{g: g, lines: lines, wide: wide}
	c.layout()
	c.axes()
	c.budgets()
	for _, l := range uppermostLast(c.lines) {
		c.curve(l)
	}
	c.ends()
	c.names()
	c.guards()
	return c.close()
}

func usageLines(g *group) (out []usageLine) {
	for _, m := range g.members {
		if s := withEnd(m.Run); len(s) > 0 {
			out = append(out, usageLine{m, s})
		}
	}
	return out
}

// uppermostLast is the order of drawing: curves that end early lie on top of those that go on, which
// can be seen further right.
func uppermostLast(lines []usageLine) []usageLine {
	out := slices.Clone(lines)
	slices.SortStableFunc(out, func(a, b usageLine) int {
		return cmp.Compare(b.samples[len(b.samples)-1].Frame, a.samples[len(a.samples)-1].Frame)
	})
	return out
}

// framing is where the axis of usage begins, "" when that is zero or there is none, and whether the
// budget is in the picture.
func framing(g *group) (from string, budget bool) {
	c := &usageChart{g: g, lines: usageLines(g), wide: true}
	if len(c.lines) == 0 {
		return "", false
	}
	c.layout()
	if c.win.lo > 0 {
		from = size(int64(c.win.lo))
	}
	return from, c.win.hasBudget
}

// withEnd is the series, and the moment of the refusal when it came after the last sample.
func withEnd(r *Run) []Sample {
	s := Thin(r.Series, MostSamples)
	o := r.OutOfMemory
	if len(s) == 0 || o == nil || o.Frame == nil || *o.Frame <= s[len(s)-1].Frame {
		return s
	}
	end := s[len(s)-1]
	end.Frame = *o.Frame
	if used, ok := usageAtEnd(r); ok {
		end.Usage = used
	}
	return append(slices.Clone(s), end)
}

func (c *usageChart) layout() {
	low, high, frames := math.Inf(1), 0.0, 1.0
	c.budget = [2]float64{math.Inf(1), 0}
	for _, l := range c.lines {
		for _, s := range l.samples {
			low, high = min(low, float64(s.Usage)), max(high, float64(s.Usage))
			frames = max(frames, float64(s.Frame))
			if s.Budget > 0 {
				c.budget[0], c.budget[1] = min(c.budget[0], float64(s.Budget)), max(c.budget[1], float64(s.Budget))
			}
		}
		if b := l.m.Budget; b != nil && len(b.Transitions) > 0 {
			c.lanes = append(c.lanes, l)
		}
	}
	c.win = usageWindow(low, high, c.budget[0], c.budget[1])
	width, plot := chartWide, 300.0
	c.right = chartWide - rightMargin
	if !c.wide {
		width, plot = chartNarrow, 220
		c.right = chartNarrow - 8
	}
	c.x = scale{v0: 0, v1: frames, p0: leftMargin, p1: c.right}
	c.top = 12 + labelStep*float64(c.placeEnds())
	c.bottom = c.top + plot
	c.y = scale{v0: c.win.lo, v1: c.win.hi, p0: c.bottom, p1: c.top}
	for i := range c.endLabel {
		c.endLabel[i].at.y = c.y.at(c.endLabel[i].at.y)
	}
	height := c.bottom + 40 + laneStep*float64(len(c.lanes))
	c.svg = newSVG(width, height, "chart usage", c.describe(),
		attr{"data-x", px(c.x.p0) + " " + px(c.x.p1) + " 0 " + exact(frames)},
		attr{"data-y", px(c.y.p0) + " " + px(c.y.p1) + " " + exact(c.win.lo) + " " + exact(c.win.hi)})
}

func exact(f float64) string { return strconv.FormatFloat(f, 'f', 0, 64) }

// describe is the chart in a sentence.
func (c *usageChart) describe() string {
	s := "Memory in use over frames."
	for _, l := range c.lines {
		end := l.samples[len(l.samples)-1]
		s += fmt.Sprintf(" %s: from %s to %s at frame %s", l.m.label, size(l.samples[0].Usage), size(end.Usage), count(end.Frame))
		if t := endText(l.m.Run); t != "" {
			s += ", " + t
		}
		s += "."
	}
	return s
}

// placeEnds finds rows for the texts above the plot so that they do not overlap, and returns how many
// rows there are. The y of each is a value still: the scale is not there yet.
func (c *usageChart) placeEnds() (rows int) {
	for _, l := range c.lines {
		if text := endText(l.m.Run); text != "" {
			end := l.samples[len(l.samples)-1]
			text = clip(l.m.label+": "+text, c.right-leftMargin)
			c.endLabel = append(c.endLabel, endLabel{at: point{c.x.at(float64(end.Frame)), float64(end.Usage)}, text: text, m: l.m})
		}
	}
	slices.SortStableFunc(c.endLabel, func(a, b endLabel) int { return cmp.Compare(a.at.x, b.at.x) })
	for i := range c.endLabel {
		e := &c.endLabel[i]
		for slices.ContainsFunc(c.endLabel[:i], func(o endLabel) bool { return o.row == e.row && c.overlap(*e, o) }) {
			e.row++
		}
		rows = max(rows, e.row+1)
	}
	return rows
}

// span is where an end's text lies: right of its point, or left of it where there is no room.
func (c *usageChart) span(e endLabel) (from, to float64, anchor string) {
	wide := textWide(e.text)
	switch {
	case e.at.x-6+wide <= c.right+6:
		return e.at.x - 6, e.at.x - 6 + wide, "start"
	case e.at.x+6-wide >= leftMargin:
		return e.at.x + 6 - wide, e.at.x + 6, "end"
	}
	return leftMargin, leftMargin + wide, "start"
}

func (c *usageChart) overlap(a, b endLabel) bool {
	a0, a1, _ := c.span(a)
	b0, b1, _ := c.span(b)
	return a0 < b1+8 && b0 < a1+8
}

// endText says how a run ended that did not finish.
func endText(r *Run) string {
	switch {
	case finished(r) || r.Outcome == "":
		return ""
	case r.Outcome == OOM:
		return "out of memory" + atFrame(r)
	case r.Outcome == Interrupted:
		return "interrupted"
	}
	return "failed" + atFrame(r)
}

func (c *usageChart) axes() {
	step := niceStep(c.win.hi-c.win.lo, 6)
	for _, v := range ticks(c.win.lo, c.win.hi, step) {
		y := c.y.at(v)
		c.line("grid", leftMargin, y, c.right, y)
		c.text("tick", "end", leftMargin-8, y+4, sizeTick(v, step, c.win.hi))
	}
	c.line("axis", leftMargin, c.bottom, c.right, c.bottom)
	most := 8
	if !c.wide {
		most = 5
	}
	step = max(niceStep(c.x.v1, most), 1)
	for _, v := range ticks(0, c.x.v1, step) {
		x := c.x.at(v)
		c.line("axis", x, c.bottom, x, c.bottom+4)
		c.text("tick", "middle", x, c.bottom+18, count(int64(v)))
	}
	c.text("tick", "start", 0, c.bottom+18, "frame")
}

// budgets draws the budget: one line when it is the same for all, else one for each run.
func (c *usageChart) budgets() {
	if c.budget[1] == 0 {
		return
	}
	if !c.win.hasBudget {
		c.text("note", "end", c.right-2, c.top+12, "budget "+size(int64(c.budget[1]))+", far above ↑")
		return
	}
	if c.budget[0] == c.budget[1] {
		y := c.y.at(c.budget[0])
		c.line("budget", leftMargin, y, c.right, y)
		return
	}
	for _, l := range c.lines {
		var p []point
		for _, s := range l.samples {
			if s.Budget > 0 {
				p = append(p, point{c.x.at(float64(s.Frame)), c.y.at(float64(s.Budget))})
			}
		}
		c.path("budget", simplify(p))
	}
}

func (c *usageChart) curve(l usageLine) {
	points := make([]point, len(l.samples))
	for i, s := range l.samples {
		points[i] = point{c.x.at(float64(s.Frame)), c.y.at(float64(s.Usage))}
	}
	if len(points) == 1 {
		c.circle(fmt.Sprintf("fill c%d", l.m.color), points[0].x, points[0].y, 3)
		return
	}
	c.path(fmt.Sprintf("curve c%d", l.m.color), simplify(points), attr{"data-name", l.m.label})
}

// ends marks the points at which runs ended early, with a thin line up to the text.
func (c *usageChart) ends() {
	for _, e := range c.endLabel {
		base := c.top - 8 - labelStep*float64(e.row)
		c.line("leader", e.at.x, base+5, e.at.x, e.at.y-7)
		c.circle("end-back", e.at.x, e.at.y, 7)
		class := fmt.Sprintf("end c%d", e.m.color)
		c.line(class, e.at.x-4, e.at.y-4, e.at.x+4, e.at.y+4)
		c.line(class, e.at.x-4, e.at.y+4, e.at.x+4, e.at.y-4)
		from, to, anchor := c.span(e)
		x := from
		if anchor == "end" {
			x = to
		}
		c.text(fmt.Sprintf("end-text ink%d", e.m.color), anchor, x, base, e.text)
	}
}

// names writes the names of the curves that reach the right edge, and the budget's, beside it. The
// narrow form has a legend instead.
func (c *usageChart) names() {
	if !c.wide {
		return
	}
	var all []sideName
	for _, l := range c.lines {
		if endText(l.m.Run) == "" {
			end := l.samples[len(l.samples)-1]
			all = append(all, sideName{x: c.x.at(float64(end.Frame)), y: c.y.at(float64(end.Usage)), text: l.m.label, class: fmt.Sprintf("name ink%d", l.m.color)})
		}
	}
	if c.win.hasBudget && c.budget[0] == c.budget[1] {
		all = append(all, sideName{x: c.right, y: c.y.at(c.budget[0]), text: "budget " + size(int64(c.budget[0])), class: "name budget-name"})
	}
	spread(all, c.top, c.bottom)
	for _, n := range all {
		c.path("leader", []point{{n.x + 2, n.y}, {c.right + 6, n.y}, {c.right + 12, n.placed}})
		c.text(n.class, "start", c.right+16, n.placed+4, clip(n.text, rightMargin-16))
	}
}

// sideName is a text beside the plot: where its curve ends and where there is room for it.
type sideName struct {
	x, y, placed float64
	text, class  string
}

// spread moves names apart, as little as it can, within top and bottom.
func spread(all []sideName, top, bottom float64) {
	slices.SortStableFunc(all, func(a, b sideName) int { return cmp.Compare(a.y, b.y) })
	for i := range all {
		all[i].placed = all[i].y
		if i > 0 {
			all[i].placed = max(all[i].placed, all[i-1].placed+labelStep)
		}
	}
	for i := len(all) - 1; i >= 0; i-- {
		limit := bottom
		if i+1 < len(all) {
			limit = all[i+1].placed - labelStep
		}
		all[i].placed = max(min(all[i].placed, limit), top)
	}
}
