package report

// Batch is the result of processing several inputs. Its fields are in the order of the JSON form.
type Batch struct {
	Schema   int     `json:"schema"`
	Version  string  `json:"version"`
	Outcome  Outcome `json:"outcome"`   // of the run with ExitCode
	ExitCode int     `json:"exit_code"` // the worst of the runs'
	// Error is what kept all inputs from being processed, such as a device that is not there; nil
	// when each was tried, or had its own failure.
	Error   *Error   `json:"error"`
	Jobs    int      `json:"jobs"` // inputs at once
	Seconds *float64 `json:"seconds"`
	Counts  Counts   `json:"counts"`
	Runs    []Run    `json:"runs"` // in the order of the inputs
	Verdict string   `json:"verdict"`
}

// Counts says how the inputs of a batch ended. Each is counted once.
type Counts struct {
	Inputs      int `json:"inputs"`
	Done        int `json:"done"`
	Lost        int `json:"lost"` // finished, but frames were lost
	Skipped     int `json:"skipped"`
	Failed      int `json:"failed"`
	Interrupted int `json:"interrupted"`
	NotStarted  int `json:"not_started"`
}

// NewBatch counts the runs and puts the result into words. The caller fills in what else it knows, and
// keeps the runs unchanged as long as it uses the result.
func NewBatch(version string, runs []Run) *Batch {
	b := &Batch{Schema: Schema, Version: version, Runs: runs}
	for i := range runs {
		b.Counts.add(runs[i].Outcome)
	}
	b.Verdict = b.Counts.String()
	return b
}

func (c *Counts) add(o Outcome) {
	c.Inputs++
	switch o {
	case OK:
		c.Done++
	case Lost:
		c.Lost++
	case Skipped:
		c.Skipped++
	case Interrupted:
		c.Interrupted++
	case NotStarted:
		c.NotStarted++
	default:
		c.Failed++
	}
}

// String is the counts in words: "4 inputs: 2 done, 1 skipped, 1 failed".
func (c Counts) String() string {
	s := plural(int64(c.Inputs), "input")
	sep := ": "
	for _, p := range []struct {
		n    int
		what string
	}{
		{c.Done, "done"}, {c.Lost, "done with frames lost"}, {c.Skipped, "skipped"}, {c.Failed, "failed"},
		{c.Interrupted, "interrupted"}, {c.NotStarted, "not started"},
	} {
		if p.n > 0 {
			s += sep + count(int64(p.n)) + " " + p.what
			sep = ", "
		}
	}
	return s
}
