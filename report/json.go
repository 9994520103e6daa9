package report

import (
	"encoding/json"
	"io"
)

// JSON prints schema 1, indented, with a newline at the end.
type JSON struct{}

// PrintRun writes one JSON object.
func (JSON) PrintRun(w io.Writer, r *Run) error {
	out := *r
	out.Schema = Schema
	if out.Series == nil {
		out.Series = []Sample{}
	}
	if b := out.Budget; b != nil && b.Transitions == nil {
		filled := *b
		filled.Transitions = []Transition{}
		out.Budget = &filled
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&out)
}
