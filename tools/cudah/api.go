package main

import (
	"fmt"
	"strings"
)

// api is the table: the part of the driver's binary interface that is declared.
type api struct {
	enums     []enum
	defines   []named
	scalars   []named
	handles   []named
	callbacks []named
	structs   []record
	functions []function
	pure      []string // symbols that pure Go calls
}

// named is a name with a C text: a value, a type, a struct tag, or parameter types.
type named struct{ name, text string }

type enum struct {
	name, tag, prefix string
	values            []named // names without the prefix
}

// record is a struct; real is its name in NVIDIA's header, where names may have moved on to a
// newer version of the struct.
type record struct {
	name, real string
	fields     []named // name with array brackets, type
}

// function is one entry point: symbol is its name in the library, name its name in source code.
type function struct {
	symbol, name string
	params       []string // types
}

// types are the parameters in a prototype.
func (f function) types() string {
	if len(f.params) == 0 {
		return "void"
	}
	return strings.Join(f.params, ", ")
}

// parse reads the table. Errors name the line.
func parse(text string) (*api, error) {
	a := &api{}
	var section []string
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		var err error
		if line[0] == '[' {
			section = strings.Fields(strings.Trim(line, "[]"))
			err = a.open(section)
		} else {
			err = a.entry(section, line)
		}
		if err != nil {
			return nil, fmt.Errorf("driver.api:%d: %w", i+1, err)
		}
	}
	return a, nil
}

// open starts a section: enums and structs are entries by themselves.
func (a *api) open(section []string) error {
	switch {
	case len(section) == 4 && section[0] == "enum":
		a.enums = append(a.enums, enum{name: section[1], tag: section[2], prefix: section[3]})
	case len(section) == 2 && section[0] == "struct":
		a.structs = append(a.structs, record{name: section[1], real: section[1]})
	case len(section) == 3 && section[0] == "struct":
		a.structs = append(a.structs, record{name: section[1], real: section[2]})
	case len(section) == 1:
	default:
		return fmt.Errorf("section %q has the wrong number of words", section)
	}
	return nil
}

// entry adds one line of a section.
func (a *api) entry(section []string, line string) error {
	if len(section) == 0 {
		return fmt.Errorf("%q stands before the first section", line)
	}
	switch section[0] {
	case "functions":
		return a.function(line)
	case "go":
		a.pure = append(a.pure, line)
		return nil
	}
	name, text, ok := strings.Cut(line, " ")
	if !ok {
		return fmt.Errorf("%q needs two words", line)
	}
	switch section[0] {
	case "enum":
		e := &a.enums[len(a.enums)-1]
		e.values = append(e.values, named{name, text})
	case "define":
		a.defines = append(a.defines, named{name, text})
	case "scalar":
		a.scalars = append(a.scalars, named{name, text})
	case "handle":
		a.handles = append(a.handles, named{name, text})
	case "callback":
		a.callbacks = append(a.callbacks, named{name, text})
	case "struct":
		cut := strings.LastIndexByte(line, ' ')
		s := &a.structs[len(a.structs)-1]
		s.fields = append(s.fields, named{line[cut+1:], line[:cut]})
	default:
		return fmt.Errorf("unknown section %q", section[0])
	}
	return nil
}

// function parses "symbol [= name]: type, type".
func (a *api) function(line string) error {
	head, params, ok := strings.Cut(line, ":")
	if !ok {
		return fmt.Errorf("%q has no colon", line)
	}
	symbol, name, versioned := strings.Cut(head, " = ")
	f := function{symbol: symbol, name: name}
	if !versioned {
		f.name = symbol
	}
	for _, p := range strings.Split(params, ",") {
		if p = strings.TrimSpace(p); p != "void" {
			f.params = append(f.params, p)
		}
	}
	a.functions = append(a.functions, f)
	return nil
}
