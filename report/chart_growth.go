package report

import (
	"fmt"
	"html/template"
	"slices"
)

// kindColors are the colours of the kinds of memory.
var kindColors = map[string]int{"pinned": 1, "pageable": 3, "registered": 2, "managed": 4, "mapped": 5, "write-combined": 6}

// growthChart draws, for each size, a bar for each kind: by how much a domain grew. A dashed line shows
// the size itself.
type growthChart struct {
	*svg
	sizes []int64
	kinds []string
	delta map[string]map[int64]int64
}

// drawGrowth returns "" when nothing of the domain was measured.
func drawGrowth(rows []ProbeRow, domain string, wide bool) template.HTML {
	c := &growthChart{delta: map[string]map[int64]int64{}}
	most := int64(0)
	for i := range rows {
		r := &rows[i]
		d := r.DeviceDeltaBytes
		if domain == "shared" {
			d = r.SharedDeltaBytes
		}
		if d == nil {
			continue
		}
		if !slices.Contains(c.sizes, r.Bytes) {
			c.sizes = append(c.sizes, r.Bytes)
		}
		if c.delta[r.Kind] == nil {
			c.delta[r.Kind] = map[int64]int64{}
			c.kinds = append(c.kinds, r.Kind)
		}
		c.delta[r.Kind][r.Bytes] = *d
		most = max(most, *d, r.Bytes)
	}
	if len(c.sizes) == 0 {
		return ""
	}
	slices.Sort(c.sizes)
	return c.draw(domain, float64(most)*1.05, wide)
}

func (c *growthChart) draw(domain string, most float64, wide bool) template.HTML {
	width, right, height := chartWide, chartWide-8, 240.0
	if !wide {
		width, right, height = chartNarrow, chartNarrow-8, 200
	}
	const top = 10.0
	bottom := top + height
	c.svg = newSVG(width, bottom+28, "chart", fmt.Sprintf("Growth of %s by size and kind of memory", domainName(domain)))
	y := scale{v0: 0, v1: most, p0: bottom, p1: top}
	step := niceStep(most, 5)
	for _, v := range ticks(0, most, step) {
		c.line("grid", leftMargin, y.at(v), right, y.at(v))
		c.text("tick", "end", leftMargin-8, y.at(v)+4, sizeTick(v, step, most))
	}
	group := (right - leftMargin) / float64(len(c.sizes))
	for i, bytes := range c.sizes {
		c.group(leftMargin+group*float64(i), group, bytes, y)
	}
	c.line("axis", leftMargin, bottom, right, bottom)
	return c.close()
}

// group draws the bars of one size.
func (c *growthChart) group(x, wide float64, bytes int64, y scale) {
	pad := wide * 0.14
	bar := (wide - 2*pad) / float64(len(c.kinds))
	for i, k := range c.kinds {
		d, ok := c.delta[k][bytes]
		if !ok {
			continue
		}
		high := y.at(float64(max(d, 0)))
		c.rect(fmt.Sprintf("fill c%d", kindColors[k]), x+pad+bar*float64(i), min(high, y.p0-1), max(bar-2, 1), max(y.p0-high, 1))
	}
	c.line("budget", x+pad/2, y.at(float64(bytes)), x+wide-pad/2, y.at(float64(bytes)))
	c.text("tick", "middle", x+wide/2, y.p0+18, block(bytes))
}
