package report

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
)

// plot draws bytes over frames or seconds, a line for each name, in the manner of the usage chart.
type plot struct {
	lines  []plotLine
	budget float64 // 0: none
	unit   string  // "frame", or "s" for seconds
	label  string  // what a screen reader says
}

// plotLine is one curve; x is in the plot's unit, y in bytes. end says why it ends early.
type plotLine struct {
	label string
	color int
	at    []point
	end   string
}

// drawn is a plot with its scales.
type drawn struct {
	*plot
	*svg
	x                  float64 // the greatest
	right, top, bottom float64
	sx, sy             scale
	win                window
	wide               bool
}

// draw returns "" when there is nothing to see.
func (p *plot) draw(wide bool) template.HTML {
	d := &drawn{plot: p, wide: wide}
	if !d.layout() {
		return ""
	}
	d.axes()
	if d.win.hasBudget {
		y := d.sy.at(p.budget)
		d.line("budget", leftMargin, y, d.right, y)
	}
	for _, l := range p.lines {
		d.curve(l)
	}
	d.names()
	return d.close()
}

func (d *drawn) layout() bool {
	low, high, most := math.Inf(1), 0.0, 0.0
	ends := 0
	for _, l := range d.lines {
		for _, q := range l.at {
			low, high, most = min(low, q.y), max(high, q.y), max(most, q.x)
		}
		if l.end != "" && len(l.at) > 0 {
			ends++
		}
	}
	if math.IsInf(low, 1) {
		return false
	}
	d.x = max(most, 1)
	if d.unit == "s" {
		d.x = max(most, 0.1)
	}
	d.win = usageWindow(low, high, d.budget, d.budget)
	width, height := chartWide, 260.0
	d.right = chartWide - rightMargin - 40
	if !d.wide {
		width, height, d.right = chartNarrow, 200, chartNarrow-8
	}
	d.top = 12 + labelStep*float64(ends)
	d.bottom = d.top + height
	d.sx = scale{v0: 0, v1: d.x, p0: leftMargin, p1: d.right}
	d.sy = scale{v0: d.win.lo, v1: d.win.hi, p0: d.bottom, p1: d.top}
	d.svg = newSVG(width, d.bottom+40, "chart usage", d.label,
		attr{"data-x", px(leftMargin) + " " + px(d.right) + " 0 " + strconv.FormatFloat(d.x, 'f', 3, 64)},
		attr{"data-y", px(d.bottom) + " " + px(d.top) + " " + exact(d.win.lo) + " " + exact(d.win.hi)},
		attr{"data-unit", d.unit})
	return true
}

func (d *drawn) axes() {
	step := niceStep(d.win.hi-d.win.lo, 6)
	for _, v := range ticks(d.win.lo, d.win.hi, step) {
		y := d.sy.at(v)
		d.line("grid", leftMargin, y, d.right, y)
		d.text("tick", "end", leftMargin-8, y+4, sizeTick(v, step, d.win.hi))
	}
	d.line("axis", leftMargin, d.bottom, d.right, d.bottom)
	most := 8
	if !d.wide {
		most = 5
	}
	step = niceStep(d.x, most)
	if d.unit != "s" {
		step = max(step, 1)
	}
	for _, v := range ticks(0, d.x, step) {
		x := d.sx.at(v)
		d.line("axis", x, d.bottom, x, d.bottom+4)
		d.text("tick", "middle", x, d.bottom+18, d.tick(v, step))
	}
	name := d.unit
	if name == "s" {
		name = "seconds"
	}
	d.text("tick", "start", 0, d.bottom+18, name)
}

func (d *drawn) tick(v, step float64) string {
	if d.unit == "s" && step < 1 {
		return strconv.FormatFloat(v, 'f', min(max(int(math.Ceil(-math.Log10(step))), 1), 3), 64)
	}
	return count(int64(math.Round(v)))
}

func (d *drawn) curve(l plotLine) {
	if len(l.at) == 0 {
		return
	}
	points := make([]point, len(l.at))
	for i, q := range l.at {
		points[i] = point{d.sx.at(q.x), d.sy.at(q.y)}
	}
	if len(points) == 1 {
		d.circle(fmt.Sprintf("fill c%d", l.color), points[0].x, points[0].y, 3)
	} else {
		d.path(fmt.Sprintf("curve c%d", l.color), simplify(points), attr{"data-name", l.label})
	}
	if l.end != "" {
		d.mark(l, points[len(points)-1])
	}
}

// mark crosses the end of a line that ended early, and says why above it.
func (d *drawn) mark(l plotLine, at point) {
	class := fmt.Sprintf("end c%d", l.color)
	d.line("leader", at.x, d.top-4, at.x, at.y-7)
	d.circle("end-back", at.x, at.y, 7)
	d.line(class, at.x-4, at.y-4, at.x+4, at.y+4)
	d.line(class, at.x-4, at.y+4, at.x+4, at.y-4)
	text, anchor, x := clip(l.label+": "+l.end, d.right-leftMargin), "start", at.x-6
	if x+textWide(text) > d.right {
		anchor, x = "end", max(at.x+6, leftMargin+textWide(text))
	}
	d.text(fmt.Sprintf("end-text ink%d", l.color), anchor, x, d.top-9, text)
}

// names writes the lines' names beside their ends; the narrow form has a legend instead.
func (d *drawn) names() {
	if !d.wide {
		return
	}
	var all []sideName
	for _, l := range d.lines {
		if n := len(l.at); n > 0 && l.end == "" {
			all = append(all, sideName{x: d.sx.at(l.at[n-1].x), y: d.sy.at(l.at[n-1].y), text: l.label, class: fmt.Sprintf("name ink%d", l.color)})
		}
	}
	if d.win.hasBudget {
		all = append(all, sideName{x: d.right, y: d.sy.at(d.budget), text: "budget " + size(int64(d.budget)), class: "name budget-name"})
	}
	spread(all, d.top, d.bottom)
	for _, n := range all {
		d.path("leader", []point{{n.x + 2, n.y}, {d.right + 6, n.y}, {d.right + 12, n.placed}})
		d.text(n.class, "start", d.right+16, n.placed+4, clip(n.text, rightMargin+40-16))
	}
}
