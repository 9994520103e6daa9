package report

// Conclude fills in what follows from what was measured: deltas, slopes, rings, claims, findings and
// the verdict. It looks at nothing else. then is an earlier probe to compare with, nil for none.
func (p *Probe) Conclude(then *Probe) {
	p.Schema = Schema
	for i := range p.Rows {
		p.Rows[i].conclude()
	}
	for _, f := range []*ProbeFrames{p.Reuse, p.Churn} {
		if f != nil {
			f.conclude()
		}
	}
	e := p.evidence()
	p.Rings = e.rings()
	p.Baseline = nil
	if then != nil {
		p.Baseline = compareProbes(then, p)
	}
	p.Claims = e.claims()
	p.Findings = e.findings()
	p.Verdict = nil
	if len(p.Findings) > 0 {
		p.Verdict = &p.Findings[0].Text
	}
}

// conclude finds what each domain grew by, and when the last source showed the memory to be back.
func (r *ProbeRow) conclude() {
	r.DeviceDeltaBytes, r.SharedDeltaBytes, r.HostDeltaBytes = nil, nil, nil
	r.ReturnedAfter, r.ReturnedNot = nil, false
	if r.Skipped != nil || r.Error != nil {
		return
	}
	r.DeviceDeltaBytes, r.SharedDeltaBytes, r.HostDeltaBytes = r.most("local"), r.most("shared"), r.most("host")
	r.ReturnedAfter, r.ReturnedNot = returns(r.Traces)
	if r.ReturnedAfter == nil {
		r.ReturnedWithin = nil
	}
}

// most is the growth of the source of a domain that grew most, nil without one.
func (r *ProbeRow) most(domain string) *int64 {
	var most *int64
	for i := range r.Traces {
		if t := &r.Traces[i]; t.Domain == domain {
			if g := t.growth(); most == nil || g > *most {
				most = &g
			}
		}
	}
	return most
}

// returns is the slowest return, nil when nothing was to return or something did not.
func returns(traces []Trace) (after *float64, not bool) {
	for i := range traces {
		t := &traces[i]
		switch {
		case !t.Watched:
		case t.ReturnedAfter == nil:
			return nil, true
		case after == nil || *t.ReturnedAfter > *after:
			after = t.ReturnedAfter
		}
	}
	return after, false
}

// conclude chooses the line that saw most of it.
func (f *ProbeFrames) conclude() {
	f.Line, f.Domain, f.SlopePerFrame, f.SlopePerSecond, f.GrowthBytes = nil, nil, nil, nil, nil
	for i := range f.Lines {
		l := &f.Lines[i]
		if len(l.Points) == 0 || l.Domain == "host" {
			continue
		}
		growth := l.growth()
		if f.GrowthBytes != nil && growth <= *f.GrowthBytes {
			continue
		}
		second := l.PerFrame * f.Rate
		f.Line, f.Domain, f.SlopePerFrame, f.SlopePerSecond, f.GrowthBytes = &l.Source, &l.Domain, &l.PerFrame, &second, &growth
	}
}

// growth is the most that was in use minus what was at first.
func (l *ProbeLine) growth() int64 {
	_, high := extremes(l.Points)
	return high - l.Points[0].Usage
}

// line is the line that was chosen, nil without one.
func (f *ProbeFrames) line() *ProbeLine {
	for i := range f.Lines {
		if l := &f.Lines[i]; f.Line != nil && l.Source == *f.Line && l.Domain == *f.Domain {
			return l
		}
	}
	return nil
}
