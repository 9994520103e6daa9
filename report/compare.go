package report

// Compare is several runs side by side. Its fields are in the order of the JSON form.
type Compare struct {
	Schema  int    `json:"schema"`
	Version string `json:"version"`
	// Command is the command line, quoted for a shell; nil when it is not known.
	Command *string `json:"command"`
	// Created is when, as RFC 3339; nil when it is not known.
	Created *string `json:"created"`
	// Environment is what the figures depend on, in the order in which it is shown: system, device,
	// driver, CUDA, FFmpeg, cores.
	Environment []Fact `json:"environment"`
	// Emulates says in sentences what the emulated card plays; NotModelled what it leaves out.
	Emulates    []string `json:"emulates"`
	NotModelled []string `json:"not_modelled"`
	// Notes are remarks on the comparison itself: a short input that was looped, modes that were
	// left out, and why.
	Notes []string `json:"notes"`
	Runs  []Run    `json:"runs"`
	// Verdict is the text of the finding that matters most; nil when nothing can be said.
	Verdict  *string   `json:"verdict"`
	Findings []Finding `json:"findings"`
}

// Fact is a line of the environment.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// NewCompare puts the runs side by side and judges them. The caller fills in what else it knows, and
// keeps the runs unchanged as long as it uses the result.
func NewCompare(version string, runs []Run) *Compare {
	c := &Compare{Schema: Schema, Version: version, Runs: runs, Findings: Judge(runs)}
	if i := headline(c.Findings); i >= 0 {
		c.Verdict = &c.Findings[i].Text
	}
	return c
}

// emulated reports whether any run is.
func (c *Compare) emulated() bool {
	for i := range c.Runs {
		if c.Runs[i].Emulated {
			return true
		}
	}
	return false
}
