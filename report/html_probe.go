package report

import (
	"fmt"
	"html/template"
	"io"
)

// PrintProbe writes the page. Nothing is written when it cannot be made.
func (HTML) PrintProbe(w io.Writer, p *Probe) error {
	page := surveyPage{Name: "probe", Headline: "Nothing was measured", Emulated: p.Emulated, Missing: p.Missing, NotModelled: p.NotModelled,
		Environment: p.Environment, Command: p.Command, Created: p.Created, Version: p.Version}
	if p.Device != nil && !p.Emulated {
		page.Subject = p.Device.Name
	}
	if p.Emulation != nil {
		page.Subject = p.Emulation.Profile
	}
	if len(p.Findings) > 0 {
		page.Headline, page.Lead, page.Findings = upper(p.Findings[0].Title), p.Findings[0].Text, p.Findings[1:]
	}
	for _, c := range p.Claims {
		page.Claims = append(page.Claims, claimRow{c.Number, upper(c.Claim), claimWords[c.Here], c.Why})
	}
	for _, domain := range []string{"local", "shared"} {
		if f, ok := growthFigure(p, domain); ok {
			page.Figures = append(page.Figures, f)
		}
	}
	if f, ok := framesFigure(p); ok {
		page.Figures = append(page.Figures, f)
	}
	page.Figures = append(page.Figures, sourcesFigure(p.Sources))
	return page.write(w)
}

// growthFigure is the chart of sizes for a domain. The first one has the table, too.
func growthFigure(p *Probe, domain string) (figureCard, bool) {
	f := figureCard{Title: upper(domainName(domain)), Detail: "allocations of several sizes and kinds", AlwaysLegend: true, Dashed: "the size itself",
		Caption: "More in use while the memory was held"}
	if domain == "shared" && !anyShared(p.Rows) {
		return f, false // nothing to see, and the table says so
	}
	f.Chart = both(func(wide bool) template.HTML { return drawGrowth(p.Rows, domain, wide) })
	seen := map[string]bool{}
	for i := range p.Rows {
		if k := p.Rows[i].Kind; !seen[k] {
			seen[k] = true
			f.Legend = append(f.Legend, legendEntry{k, kindColors[k]})
		}
	}
	if domain == "local" && len(p.Rows) > 0 {
		f.Table = rowsTable(p.Rows)
	}
	return f, f.Chart[0] != "" || f.Table != nil
}

// anyShared reports whether something was charged to shared GPU memory.
func anyShared(rows []ProbeRow) bool {
	for i := range rows {
		if ratioOf(rows[i].SharedDeltaBytes, rows[i].Bytes) >= leastCharge {
			return true
		}
	}
	return false
}

func rowsTable(rows []ProbeRow) *plainTable {
	t := &plainTable{Head: []string{"memory", "video memory", "shared", "host", "alloc", "free", "back after"}}
	for i := range rows {
		r := &rows[i]
		t.Rows = append(t.Rows, []string{r.Kind + ", " + block(r.Bytes), deltaRatio(r.DeviceDeltaBytes, r.Bytes), deltaRatio(r.SharedDeltaBytes, r.Bytes),
			deltaText(r.HostDeltaBytes), millisText(r.AllocMillis), millisText(r.FreeMillis), r.backText()})
	}
	return t
}

func deltaRatio(n *int64, bytes int64) string {
	if n == nil {
		return none
	}
	return fmt.Sprintf("%s (%s)", deltaText(n), ratioCell(n, bytes))
}

// framesFigure is the chart of churn and reuse over frames.
func framesFigure(p *Probe) (figureCard, bool) {
	c := &plot{unit: "frame", label: "Memory in use over frames: a buffer for each frame, and buffers that are reused."}
	t := &plainTable{Head: []string{"frames", "done", "most more in use", "slope a frame", "alloc", "free"}}
	for _, x := range []struct {
		name  string
		color int
		*ProbeFrames
	}{{reuse, 0, p.Reuse}, {churn, 1, p.Churn}} {
		if x.ProbeFrames == nil {
			continue
		}
		l := plotLine{label: x.name, color: x.color}
		if x.FailedAt != nil {
			l.end = "out of memory at frame " + count(*x.FailedAt)
		}
		if line := x.line(); line != nil {
			for _, s := range Thin(line.Points, MostSamples) {
				l.at = append(l.at, point{float64(s.Frame), float64(s.Usage)})
				c.budget = float64(s.Budget)
			}
		}
		c.lines = append(c.lines, l)
		t.Rows = append(t.Rows, framesRow(x.name, x.ProbeFrames))
	}
	f := figureCard{Title: "A buffer for each frame", Caption: "Memory in use, frame by frame", Follow: true, Legend: c.legend(), Chart: both(c.draw), Table: t}
	if p.Churn != nil {
		f.Detail = fmt.Sprintf("%s bytes, %g times a second", count(p.Churn.Bytes), p.Churn.Rate)
		if p.Churn.Line != nil {
			f.Caption += ", by " + *p.Churn.Line
		}
	}
	return f, len(t.Rows) > 0
}

func framesRow(name string, f *ProbeFrames) []string {
	cells := []string{name, count(f.Done), deltaText(f.GrowthBytes), none, none, none}
	if f.SlopePerFrame != nil {
		cells[3] = size(int64(*f.SlopePerFrame))
	}
	if f.AllocMicros != nil && f.FreeMicros != nil {
		cells[4], cells[5] = micros(f.AllocMicros.P50), micros(f.FreeMicros.P50)
	}
	return cells
}

// sourcesFigure is the table of sources.
func sourcesFigure(sources []Source) figureCard {
	t := &plainTable{Head: []string{"source", "used", "free", "total", "compare with"}}
	for _, s := range sources {
		t.Rows = append(t.Rows, []string{s.Source, size(s.Used), size(s.Free), size(s.Total), s.Twin})
	}
	return figureCard{Title: "Sources", Detail: "before anything was allocated", Table: t}
}
