package kernels

import (
	"errors"
	"fmt"
	"strings"
)

// Parse reads a linear chain in FFmpeg's syntax: filters separated by commas, each NAME or
// NAME=OPTIONS, options separated by colons, positional or NAME=VALUE. Text is unescaped twice, as
// FFmpeg does: once for the chain, once for the options. "" is the empty chain. Errors are
// *ParseError.
func Parse(s string) (Chain, error) {
	c, err := parseChain(newText(s))
	if err != nil {
		err.Chain = s
		return Chain{}, err
	}
	return c, nil
}

func parseChain(t text) (Chain, *ParseError) {
	var c Chain
	if t.skipBlanks().s == "" {
		return c, nil
	}
	for {
		f, rest, err := parseFilter(t)
		if err != nil {
			return c, err
		}
		c.filters = append(c.filters, f)
		switch {
		case rest.s == "":
			return c, nil
		case rest.s[0] != ',':
			return c, &ParseError{Pos: rest.pos[0], Message: fmt.Sprintf(
				"%q belongs to filter graphs; this is a chain: filters separated by commas", rest.s[:1])}
		}
		t = rest.from(1)
	}
}

// parseFilter reads NAME[=OPTIONS] and what follows it.
func parseFilter(t text) (parsed, text, *ParseError) {
	name, rest, err := t.token("=,;[]")
	if err != nil {
		return parsed{}, t, err
	}
	if name.s == "" {
		return parsed{}, t, &ParseError{Pos: name.pos[0], Message: "a filter's name is missing here"}
	}
	spec := find(name.s)
	if spec == nil {
		return parsed{}, t, &ParseError{Pos: name.pos[0], Message: unknown("filter", name.s, filterNames())}
	}
	var given text
	if strings.HasPrefix(rest.s, "=") {
		if given, rest, err = rest.from(1).token("[],;"); err != nil {
			return parsed{}, t, err
		}
	}
	f, err := parseOptions(spec, given, name.pos[0])
	return f, rest, err
}

// values are a filter's options by name, with the places where they stand.
type values struct {
	spec  *Spec
	given map[string]text
}

// parseOptions reads OPTIONS and builds the filter. at is the place of the filter's name, for errors
// that belong to no option.
func parseOptions(spec *Spec, t text, at int) (parsed, *ParseError) {
	f := parsed{name: spec.Name}
	v := values{spec, map[string]text{}}
	named := false
	for i := 0; t.s != ""; i++ {
		opt, value, rest, err := parseOption(spec, t, i, &named)
		if err != nil {
			return f, err
		}
		if _, twice := v.given[opt]; twice {
			return f, &ParseError{Pos: t.pos[0], Message: fmt.Sprintf("option %q of %s is given twice", opt, spec.Name)}
		}
		v.given[opt] = value
		f.options = append(f.options, Option{opt, value.s})
		if rest.s == "" {
			break
		}
		t = rest.from(1) // the colon
	}
	impl, err := spec.build(v)
	if err != nil {
		return f, v.locate(err, at)
	}
	f.impl = impl
	return f, nil
}

// parseOption reads one option: its canonical name, its value, and what follows.
func parseOption(spec *Spec, t text, index int, named *bool) (name string, value, rest text, err *ParseError) {
	t = t.skipBlanks()
	key, n := keyOf(t.s)
	if n > 0 {
		*named = true
		o := spec.option(key)
		if o == nil {
			return "", value, rest, &ParseError{Pos: t.pos[0],
				Message: unknown("option", key, spec.optionNames()) + " (filter " + spec.Name + ")"}
		}
		value, rest, err = t.from(n).token(":")
		return o.Name, value, rest, err
	}
	if *named {
		return "", value, rest, &ParseError{Pos: t.pos[0], Message: "a value without a name cannot follow named options"}
	}
	if index >= len(spec.Options) {
		return "", value, rest, &ParseError{Pos: t.pos[0],
			Message: fmt.Sprintf("%s takes no more than %d options", spec.Name, len(spec.Options))}
	}
	value, rest, err = t.token(":")
	return spec.Options[index].Name, value, rest, err
}

// keyOf finds "key=" at the start of s and returns the key and the length with the equals sign; 0
// when there is none.
func keyOf(s string) (string, int) {
	i := 0
	for i < len(s) && (s[i] == '_' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
		i++
	}
	key := s[:i]
	for i < len(s) && strings.IndexByte(blanks, s[i]) >= 0 {
		i++
	}
	if key == "" || i >= len(s) || s[i] != '=' {
		return "", 0
	}
	return key, i + 1
}

// valueError is an error in the value of an option.
type valueError struct {
	option string
	offset int // bytes into the value
	err    error
}

func (e *valueError) Error() string { return e.err.Error() }

// locate makes an error of a filter's builder point at the option that it is about.
func (v values) locate(err error, at int) *ParseError {
	var e *valueError
	if errors.As(err, &e) {
		if t, ok := v.given[e.option]; ok {
			at = t.pos[min(e.offset, len(t.s))]
		}
		return &ParseError{Pos: at, Message: fmt.Sprintf("%s: %s: %v", v.spec.Name, e.option, e.err)}
	}
	return &ParseError{Pos: at, Message: fmt.Sprintf("%s: %v", v.spec.Name, err)}
}
