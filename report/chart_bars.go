package report

import (
	"fmt"
	"html/template"
)

// Sizes of the charts with a row for each run.
const (
	barsWide  = 424.0
	barStep   = 30.0
	timesStep = 40.0
)

// drawRates draws a bar of frames per second for each run; "" when none has that figure.
func drawRates(g *group, label string, of func(*Run) *float64, wide bool) template.HTML {
	most := 0.0
	for _, m := range g.members {
		if f, ok := known(of(m.Run)); ok {
			most = max(most, f)
		}
	}
	if most <= 0 {
		return ""
	}
	width, names := barsWide, 118.0
	if !wide {
		width, names = chartNarrow, 104
	}
	const values = 112.0 // room for "4,991  15.8x" behind the longest bar
	s := newSVG(width, barStep*float64(len(g.members))+2, "chart", label)
	x := scale{v0: 0, v1: most, p0: names, p1: width - values}
	s.line("axis", names, 0, names, barStep*float64(len(g.members)))
	var base *Run
	if b := g.base(); b != nil {
		base = b.Run
	}
	for i, m := range g.members {
		y := barStep * float64(i)
		s.text("name", "end", names-10, y+19, clip(m.label, names-10))
		f, ok := known(of(m.Run))
		if !ok {
			s.text("tick", "start", names+8, y+19, "not measured")
			continue
		}
		end := x.at(max(f, 0))
		s.rect(fmt.Sprintf("fill c%d", m.color), names, y+7, max(end-names, 1), 16)
		c := rateCell(&f, nil)
		if base != nil && base != m.Run {
			c = rateCell(&f, of(base))
		}
		s.text("value", "start", end+8, y+19, c.text)
		if c.relative != "" {
			s.text("tick", "start", end+8+textWide(c.text)+8, y+19, c.relative)
		}
	}
	return s.close()
}
