package kernels

import "strings"

// Chain is a parsed filter chain. The zero value is the empty chain. It is immutable.
type Chain struct{ filters []parsed }

// parsed is one filter of a chain.
type parsed struct {
	name    string
	options []Option
	impl    impl
}

// Option is an option as given.
type Option struct{ Name, Value string }

// impl is a filter with its options evaluated.
type impl interface {
	// apply tells the planner what the filter does to the current picture.
	apply(*planner) error
}

// Empty reports whether the chain has no filters.
func (c Chain) Empty() bool { return len(c.filters) == 0 }

// String writes the chain in FFmpeg's syntax, all options by name. Parse reads it back.
func (c Chain) String() string {
	var b strings.Builder
	for i, f := range c.filters {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(f.name)
		for j, o := range f.options {
			b.WriteByte(":="[boolIndex(j == 0)])
			b.WriteString(escape(o.Name+"="+escape(o.Value, ":"), "[],;"))
		}
	}
	return b.String()
}

func boolIndex(b bool) int {
	if b {
		return 1
	}
	return 0
}
