package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"path"
	"regexp"
	"strings"
)

// HTML prints one page that needs nothing else: no network, no other file. Its content security
// policy forbids everything but its own style sheet and its own script, by their hashes, so that no
// name of a file or of a device can bring in anything.
type HTML struct{}

//go:embed page/page.gohtml
var pageText string

//go:embed page/page.css
var pageStyle string

//go:embed page/page.js
var pageScript string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"printable": printable, "sentence": sentence, "symbols": func(s string) string { return strings.Replace(s, " us", " µs", 1) },
}).Parse(pageText))

// figure is a number with its unit, which a line break must not part.
var figure = regexp.MustCompile(`([0-9]) (B|kB|MB|GB|s|ms|us|fps|frames?)\b`)

// sentence is a text of several lines for the page.
func sentence(s string) string { return figure.ReplaceAllString(printable(s), "$1\u00a0$2") }

// page is what the template shows.
type page struct {
	*Compare
	Policy   string
	Style    template.CSS
	Script   template.JS
	Subject  string // the input
	Headline string
	Lead     string
	Others   []Finding
	Cards    []card
	AnyPlay  bool // something is emulated
	Mixed    bool // and something is not
}

// card is a group as the template shows it.
type card struct {
	Title, Detail string
	Emulated      bool
	Members       []legendEntry
	Budget        string           // "budget 7.54 GB", for the legend
	Phases        bool             // a guard's lane is drawn
	From          string           // where the axis of usage begins, "" for zero
	Usage         [2]template.HTML // wide, narrow
	FPS, Transfer [2]template.HTML
	Times         [2]template.HTML
	Rows          []tableRow
}

type legendEntry struct {
	Label string
	Color int
}

type tableRow struct {
	Label, Hint string
	Words       bool
	Cells       []tableCell
}

type tableCell struct {
	Text, Relative, Note string
	Bad                  bool
}

// PrintRun writes the page of a single run.
func (h HTML) PrintRun(w io.Writer, r *Run) error {
	return h.PrintCompare(w, NewCompare(r.Version, []Run{*r}))
}

// PrintCompare writes the page. Nothing is written when it cannot be made.
func (HTML) PrintCompare(w io.Writer, c *Compare) error {
	p := page{
		Compare: c, Policy: policy(), Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Subject: subjectOf(c), Headline: "No runs", AnyPlay: c.emulated(),
	}
	lead := headline(c.Findings)
	for i, f := range c.Findings {
		if i == lead {
			p.Headline, p.Lead = f.Title, f.Text
		} else {
			f.Title = unmarked(f.Title) // the text below it says so again
			p.Others = append(p.Others, f)
		}
	}
	for _, g := range groups(c.Runs) {
		p.Cards = append(p.Cards, newCard(g))
		p.Mixed = p.Mixed || p.AnyPlay && !g.emulated
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// policy is the content security policy.
func policy() string {
	return "default-src 'none'; style-src '" + hashOf(pageStyle) + "'; script-src '" + hashOf(pageScript) + "'; base-uri 'none'; form-action 'none'"
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// subjectOf is the name of the input, or of how many there are.
func subjectOf(c *Compare) string {
	names := map[string]bool{}
	last := ""
	for i := range c.Runs {
		if in := c.Runs[i].Input; in != nil {
			names[in.Path] = true
			last = in.Path
		}
	}
	if len(names) > 1 {
		return plural(int64(len(names)), "input")
	}
	if last == "" {
		return ""
	}
	return path.Base(last)
}

func newCard(g *group) card {
	c := card{Title: g.title(), Detail: g.detail(), Emulated: g.emulated}
	both := func(draw func(wide bool) template.HTML) [2]template.HTML {
		return [2]template.HTML{draw(true), draw(false)}
	}
	c.Usage = both(func(wide bool) template.HTML { return drawUsage(g, wide) })
	c.FPS = both(func(wide bool) template.HTML { return drawRates(g, "Frames per second of each run", fpsOf, wide) })
	c.Transfer = both(func(wide bool) template.HTML {
		return drawRates(g, "Frames per second of the transfer path of each run", transferOf, wide)
	})
	c.Times = both(func(wide bool) template.HTML { return drawTimes(g, wide) })
	for _, m := range g.members {
		c.Members = append(c.Members, legendEntry{m.label, m.color})
		c.Phases = c.Phases || m.Budget != nil && len(m.Budget.Transitions) > 0 && len(m.Series) > 0
	}
	from, budgetShown := framing(g)
	c.From = from
	if budgetShown {
		c.Budget = budgetOf(g)
	}
	for _, r := range rows(g) {
		t := tableRow{Label: r.label, Hint: r.hint, Words: r.words}
		for _, x := range r.cells {
			t.Cells = append(t.Cells, tableCell{x.text, x.relative, x.note, x.bad})
		}
		c.Rows = append(c.Rows, t)
	}
	return c
}

// budgetOf is the budget in words when it is one, "" else.
func budgetOf(g *group) string {
	var b int64
	for _, m := range g.members {
		for _, s := range m.Series {
			if b != 0 && s.Budget != b {
				return "budget"
			}
			b = s.Budget
		}
	}
	if b == 0 {
		return ""
	}
	return "budget " + size(b)
}
