package report

import (
	"fmt"
	"html/template"
	"math"
)

// timesRow is the distribution of one kind of call in one run, in microseconds.
type timesRow struct {
	m     member
	label string
	t     Times
}

// timesRows lists what was measured: allocations, then frees; the direction is named where a run has
// both.
func timesRows(g *group) (out []timesRow) {
	for _, m := range g.members {
		up, down := m.HostMemory.Upload, m.HostMemory.Download
		for _, d := range []struct {
			ring *Ring
			name string
		}{{up, "upload"}, {down, "download"}} {
			if d.ring == nil {
				continue
			}
			suffix := ""
			if up != nil && down != nil {
				suffix = ", " + d.name
			}
			for _, k := range []struct {
				t    *Times
				name string
			}{{d.ring.AllocMicros, "allocate"}, {d.ring.FreeMicros, "free"}} {
				if k.t != nil && finite(k.t.P50) && finite(k.t.P99) && finite(k.t.Max) {
					out = append(out, timesRow{m, m.label + ": " + k.name + suffix, *k.t})
				}
			}
		}
	}
	return out
}

// drawTimes draws p50, p99 and the maximum of each row on a logarithmic axis; "" without rows.
func drawTimes(g *group, wide bool) template.HTML {
	all := timesRows(g)
	if len(all) == 0 {
		return ""
	}
	width := chartWide
	if !wide {
		width = chartNarrow
	}
	x := timeScale(all, width)
	bottom := timesStep*float64(len(all)) + 4
	s := newSVG(width, bottom+24, "chart", "Time of allocations and frees: median, 99th percentile and maximum, on a logarithmic axis")
	for v := x.v0; v <= x.v1*1.01; v *= 10 {
		s.line("grid", x.at(v), 0, x.at(v), bottom)
		s.text("tick", "middle", x.at(v), bottom+18, decade(v))
	}
	for i, r := range all {
		drawTimesRow(s, r, x, timesStep*float64(i), width)
	}
	return s.close()
}

func drawTimesRow(s *svg, r timesRow, x scale, y, width float64) {
	values := fmt.Sprintf("%s / %s / %s", symbols(r.t.P50), symbols(r.t.P99), symbols(r.t.Max))
	s.text("name halo", "start", 0, y+14, clip(r.label, width-textWide(values)-12))
	s.text("value halo", "end", width, y+14, values)
	p50, p99, most := x.at(r.t.P50), x.at(r.t.P99), x.at(r.t.Max)
	mid := y + 27
	s.line("lane", x.p0, mid, x.p1, mid)
	s.line(fmt.Sprintf("range c%d", r.m.color), p50, mid, max(p99, p50), mid)
	s.line(fmt.Sprintf("whisker c%d", r.m.color), p99, mid, max(most, p99), mid)
	s.line(fmt.Sprintf("whisker c%d", r.m.color), most, mid-5, most, mid+5)
	s.rect(fmt.Sprintf("fill c%d", r.m.color), p99-1.5, mid-6, 3, 12)
	s.circle(fmt.Sprintf("fill c%d", r.m.color), p50, mid, 5)
}

// timeScale spans whole decades around all values, at least one.
func timeScale(all []timesRow, width float64) scale {
	lo, hi := math.Inf(1), 0.0
	for _, r := range all {
		for _, v := range []float64{r.t.P50, r.t.P99, r.t.Max} {
			v = max(v, leastMicros)
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	a, b := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	if b <= a {
		b = a + 1
	}
	return scale{v0: math.Pow(10, a), v1: math.Pow(10, b), p0: 16, p1: width - 24, log: true}
}

// leastMicros is where the axis may begin: no clock that the figures come from resolves less.
const leastMicros = 0.01

// decade writes a power of ten of microseconds.
func decade(us float64) string {
	switch {
	case us >= 0.99e6:
		return fmt.Sprintf("%.0f s", us/1e6)
	case us >= 0.99e3:
		return fmt.Sprintf("%.0f ms", us/1e3)
	case us >= 0.99:
		return fmt.Sprintf("%.0f µs", us)
	}
	return fmt.Sprintf("%.0f ns", us*1e3)
}
