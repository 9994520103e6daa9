package report

import (
	"encoding/json"
	"io"
)

// JSON prints schema 1, indented, with a newline at the end. A number that is not finite is an error:
// JSON cannot say it.
type JSON struct{}

// PrintRun writes one JSON object.
func (JSON) PrintRun(w io.Writer, r *Run) error {
	out := filled(*r)
	return encode(w, &out)
}

// PrintBatch writes one JSON object.
func (JSON) PrintBatch(w io.Writer, b *Batch) error {
	out := *b
	out.Schema = Schema
	out.Runs = make([]Run, len(b.Runs))
	for i := range b.Runs {
		out.Runs[i] = filled(b.Runs[i])
	}
	return encode(w, &out)
}

// PrintCompare writes one JSON object.
func (JSON) PrintCompare(w io.Writer, c *Compare) error {
	out := *c
	out.Schema = Schema
	out.Runs = make([]Run, len(c.Runs))
	for i := range c.Runs {
		out.Runs[i] = filled(c.Runs[i])
	}
	return encode(w, &out)
}

// filled adds what printing adds: the schema, and lists that are known to be empty. It keeps the
// promise that curves are of a limited length.
func filled(r Run) Run {
	r.Schema = Schema
	r.Series = Thin(r.Series, MostSamples)
	if b := r.Budget; b != nil && b.Transitions == nil {
		known := *b
		known.Transitions = []Transition{}
		r.Budget = &known
	}
	return r
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
