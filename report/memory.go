package report

import "fmt"

// Memory is what every source tells of the memory, once or several times.
type Memory struct {
	Schema    int             `json:"schema"`
	Version   string          `json:"version"`
	Device    *Device         `json:"device"`
	Emulated  bool            `json:"emulated"`
	Emulation *Emulation      `json:"emulation"`
	Missing   []string        `json:"missing"` // which meters cannot be had, and why
	Readings  []MemoryReading `json:"readings"`
	Pin       *MemoryPin      `json:"pin"`
}

// MemoryReading is one number at one moment.
type MemoryReading struct {
	Tag *string `json:"tag"`
	T   float64 `json:"t"` // seconds since the first
	Source
}

// MemoryPin is pinned memory that was held between readings.
type MemoryPin struct {
	Bytes         int64    `json:"bytes"`
	Error         *string  `json:"error"`             // it could not be had
	ReturnedAfter *float64 `json:"returned_after_ms"` // nil: nothing to return, or it did not
	ReturnedNot   bool     `json:"not_returned"`
}

// Watch is the memory over another program's life.
type Watch struct {
	Schema  int    `json:"schema"`
	Version string `json:"version"`
	// Program is the command line, or the process's name; PID its number.
	Program  string      `json:"program"`
	PID      int         `json:"pid"`
	ExitCode *int        `json:"exit_code"` // nil: it was not started here, or goes on
	Signal   *string     `json:"signal"`    // what ended it, "killed"; nil: it ended by itself
	Ended    bool        `json:"ended"`     // false: it went on when the watch was ended
	Created  *string     `json:"created"`
	Seconds  float64     `json:"seconds"` // watched
	Interval float64     `json:"interval_seconds"`
	Missing  []string    `json:"missing"`
	Lines    []WatchLine `json:"lines"`
}

// ending says how the command ended, "" for a process that somebody else started or that goes on.
func (x *Watch) ending() string {
	switch {
	case x.ExitCode == nil:
		return ""
	case x.Signal != nil:
		return fmt.Sprintf("was ended by a signal: %s (exit code %d)", *x.Signal, *x.ExitCode)
	}
	return fmt.Sprintf("ended with exit code %d", *x.ExitCode)
}

// WatchLine is one number over time.
type WatchLine struct {
	Name   string `json:"name"`
	Domain string `json:"domain"` // local, shared, host, process
	Twin   string `json:"twin"`
	First  int64  `json:"first_bytes"`
	Peak   int64  `json:"peak_bytes"`
	Last   int64  `json:"last_bytes"`
	// Total is the budget at the end, nil where there is none.
	Total  *int64       `json:"total_bytes"`
	Points []WatchPoint `json:"points"` // at most MostSamples
}

// WatchPoint is one of its points.
type WatchPoint struct {
	T     float64 `json:"t"` // seconds
	Bytes int64   `json:"bytes"`
}
