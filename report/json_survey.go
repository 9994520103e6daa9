package report

import "io"

// PrintProbe writes one JSON object.
func (JSON) PrintProbe(w io.Writer, p *Probe) error {
	out := *p
	out.Schema = Schema
	out.Reuse, out.Churn = thinFrames(p.Reuse), thinFrames(p.Churn)
	return encode(w, &out)
}

func thinFrames(f *ProbeFrames) *ProbeFrames {
	if f == nil {
		return nil
	}
	out := *f
	out.Lines = make([]ProbeLine, len(f.Lines))
	for i, l := range f.Lines {
		l.Points = Thin(l.Points, MostSamples)
		out.Lines[i] = l
	}
	return &out
}

// PrintMemory writes one JSON object.
func (JSON) PrintMemory(w io.Writer, m *Memory) error {
	out := *m
	out.Schema = Schema
	return encode(w, &out)
}

// PrintWatch writes one JSON object.
func (JSON) PrintWatch(w io.Writer, x *Watch) error {
	out := *x
	out.Schema = Schema
	return encode(w, &out)
}

// PrintDoctor writes one JSON object.
func (JSON) PrintDoctor(w io.Writer, d *Doctor) error {
	out := *d
	out.Schema = Schema
	return encode(w, &out)
}
