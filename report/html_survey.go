package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"
)

//go:embed page/survey.gohtml
var surveyText string

var surveyTemplate = template.Must(template.New("survey").Funcs(template.FuncMap{
	"printable": printable, "sentence": sentence, "symbols": func(s string) string { return printable(strings.Replace(s, " us", " µs", 1)) },
}).Parse(surveyText))

// surveyPage is what the page of probe and watch shows.
type surveyPage struct {
	Name, Subject, Headline, Lead string
	Emulated                      bool
	Findings                      []Finding
	Figures                       []figureCard
	Claims                        []claimRow
	Missing, NotModelled          []string
	Environment                   []Fact
	Command, Created              *string
	Version                       string
	Policy                        string
	Style                         template.CSS
	Script                        template.JS
}

// figureCard is a chart with a table.
type figureCard struct {
	Title, Detail, Caption string
	Chart                  [2]template.HTML // wide, narrow
	Follow                 bool             // values under the pointer
	Legend                 []legendEntry
	AlwaysLegend           bool   // in the wide form, too
	Dashed                 string // what the dashed line is
	Table                  *plainTable
}

type plainTable struct {
	Head []string
	Rows [][]string
}

type claimRow struct {
	Number           int
	Claim, Word, Why string
}

func (p *surveyPage) write(w io.Writer) error {
	p.Policy, p.Style, p.Script = policy(), template.CSS(pageStyle), template.JS(pageScript)
	var b bytes.Buffer
	if err := surveyTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// both draws a chart in its two widths.
func both(draw func(wide bool) template.HTML) [2]template.HTML {
	return [2]template.HTML{draw(true), draw(false)}
}

// legend names the lines of a plot.
func (p *plot) legend() (out []legendEntry) {
	for _, l := range p.lines {
		out = append(out, legendEntry{l.label, l.color})
	}
	return out
}
