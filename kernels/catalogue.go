package kernels

import (
	"fmt"
	"strconv"
)

// Spec describes a filter.
type Spec struct {
	Name    string
	Summary string   // one sentence
	Notes   []string // limits, and differences from FFmpeg's filter of that name
	Options []OptionSpec

	build func(values) (impl, error)
}

// OptionSpec describes an option. Its place in the list is its position when given without a name.
type OptionSpec struct {
	Name    string
	Aliases []string
	Type    string // "expression", "flags", "int", "float", "bool", "format list", "one of a|b|c"
	Default string
	Help    string
}

var catalogue = []Spec{eqSpec, formatSpec, hflipSpec, negateSpec, scaleSpec, transposeSpec, unsharpSpec, vflipSpec}

// Filters lists the filters that chains can use, by name.
func Filters() []Spec { return append([]Spec(nil), catalogue...) }

func find(name string) *Spec {
	for i := range catalogue {
		if catalogue[i].Name == name {
			return &catalogue[i]
		}
	}
	return nil
}

func filterNames() []string {
	var s []string
	for _, f := range catalogue {
		s = append(s, f.Name)
	}
	return s
}

// option finds an option by name or alias.
func (s *Spec) option(name string) *OptionSpec {
	for i := range s.Options {
		o := &s.Options[i]
		if o.Name == name {
			return o
		}
		for _, a := range o.Aliases {
			if a == name {
				return o
			}
		}
	}
	return nil
}

func (s *Spec) optionNames() []string {
	var n []string
	for _, o := range s.Options {
		n = append(append(n, o.Name), o.Aliases...)
	}
	return n
}

// get is the value of an option: as given, else its default.
func (v values) get(option string) string {
	if t, ok := v.given[option]; ok {
		return t.s
	}
	return v.spec.option(option).Default
}

func (v values) has(option string) bool {
	_, ok := v.given[option]
	return ok
}

// choice maps the value of an option by a table of its words.
func choice[T any](v values, option string, words []string, table map[string]T) (T, error) {
	s := v.get(option)
	if t, ok := table[s]; ok {
		return t, nil
	}
	var zero T
	return zero, &valueError{option, 0, fmt.Errorf("%s", unknown("value", s, words))}
}

// integer reads a whole number within [lo, hi].
func (v values) integer(option string, lo, hi int) (int, error) {
	n, err := strconv.Atoi(v.get(option))
	if err != nil || n < lo || n > hi {
		return 0, &valueError{option, 0, fmt.Errorf("%q is not a whole number from %d to %d", v.get(option), lo, hi)}
	}
	return n, nil
}
