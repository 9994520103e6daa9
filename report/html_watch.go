package report

import (
	"fmt"
	"html/template"
	"io"
)

// PrintWatch writes the page. Nothing is written when it cannot be made.
func (HTML) PrintWatch(w io.Writer, x *Watch) error {
	page := surveyPage{Name: "watch", Subject: x.Program, Headline: fmt.Sprintf("Memory over %s", seconds(x.Seconds)),
		Missing: x.Missing, Created: x.Created, Version: x.Version}
	switch {
	case x.Ended && x.ExitCode == nil:
		page.Lead = "The program ended; its exit code is known to who started it."
	case x.ExitCode != nil:
		page.Lead = fmt.Sprintf("The program %s.", x.ending())
	}
	for _, d := range []struct{ domain, title string }{
		{"local", "Video memory"}, {"shared", "Shared GPU memory"}, {"process", "Memory of the process"}, {"host", "Host memory"},
	} {
		if f, ok := watchFigure(x.Lines, d.domain, d.title); ok {
			page.Figures = append(page.Figures, f)
		}
	}
	return page.write(w)
}

// watchFigure is the chart of a domain's lines.
func watchFigure(lines []WatchLine, domain, title string) (figureCard, bool) {
	c := &plot{unit: "s", label: title + " over time."}
	t := &plainTable{Head: []string{"source", "first", "most", "last", "compare with"}}
	for _, l := range lines {
		if l.Domain != domain {
			continue
		}
		p := plotLine{label: l.Name, color: len(c.lines) % 8}
		for _, q := range l.Points {
			p.at = append(p.at, point{q.T, float64(q.Bytes)})
		}
		c.lines = append(c.lines, p)
		t.Rows = append(t.Rows, []string{l.Name, size(l.First), size(l.Peak), size(l.Last), l.Twin})
	}
	f := figureCard{Title: title, Caption: "In use over time", Follow: true, Legend: c.legend(), Table: t,
		Chart: both(func(wide bool) template.HTML { return c.draw(wide) })}
	return f, len(t.Rows) > 0
}
