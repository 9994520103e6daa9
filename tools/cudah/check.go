package main

import (
	"fmt"
	"regexp"
	"strings"
)

// check writes a C program of static assertions that compares the table with the real header,
// whose text is given. Lines that this version of the header no longer has (old constants, old
// functions that only the library keeps) are counted and listed by the program, not compared. With
// an empty text every line is compared.
func check(a *api, real string) string {
	c := &checker{words: map[string]bool{}}
	for _, w := range regexp.MustCompile(`\w+`).FindAllString(real, -1) {
		c.words[w] = true
	}
	// With this macro the header declares every version of every function under its own name.
	c.line("#define __CUDA_API_VERSION_INTERNAL 1")
	c.line("#include <cuda.h>\n#include <stddef.h>\n#include <stdio.h>")
	c.line("#define SAME(a, b) __builtin_types_compatible_p(a, b)")
	c.constants(a)
	c.types(a)
	for _, s := range a.structs {
		c.record(s)
	}
	// Prototypes are compared in the names of the table.
	for _, s := range a.structs {
		if s.real != s.name {
			c.line("#undef %s\n#define %s %s", s.name, s.name, s.real)
		}
	}
	for _, f := range a.functions {
		c.prototype(f)
	}
	c.main()
	return c.b.String()
}

type checker struct {
	b        strings.Builder
	words    map[string]bool // of the real header
	compared int
	absent   []string
}

func (c *checker) line(format string, args ...any) { fmt.Fprintf(&c.b, format+"\n", args...) }

// has reports whether the real header mentions the name, and notes when not.
func (c *checker) has(name string) bool {
	if len(c.words) > 0 && !c.words[name] {
		c.absent = append(c.absent, name)
		return false
	}
	c.compared++
	return true
}

func (c *checker) constants(a *api) {
	for _, e := range a.enums {
		for _, v := range e.values {
			if name := e.prefix + v.name; c.has(name) {
				c.line(`_Static_assert(%s == %s, "value of %s");`, name, v.text, name)
			}
		}
		if c.has(e.name) {
			c.line(`_Static_assert(sizeof(%s) == sizeof(int), "size of %s");`, e.name, e.name)
		}
	}
	for _, d := range a.defines {
		if c.has(d.name) {
			c.line(`_Static_assert(%s == %s, "value of %s");`, d.name, d.text, d.name)
		}
	}
}

func (c *checker) types(a *api) {
	for _, s := range a.scalars {
		if c.has(s.name) {
			c.line(`_Static_assert(SAME(%s, %s), "type of %s");`, s.name, s.text, s.name)
		}
	}
	for _, h := range a.handles {
		if c.has(h.name) {
			c.line(`_Static_assert(SAME(%s, struct %s *), "type of %s");`, h.name, h.text, h.name)
		}
	}
	for _, f := range a.callbacks {
		if c.has(f.name) {
			c.line(`_Static_assert(SAME(%s, void (*)(%s)), "type of %s");`, f.name, f.text, f.name)
		}
	}
}

// record compares size, and offset and type of each field.
func (c *checker) record(s record) {
	if !c.has(s.real) {
		return
	}
	ours := "our_" + s.name
	writeStruct(&c.b, s, ours)
	c.line(`_Static_assert(sizeof(%s) == sizeof(%s), "size of %s");`, ours, s.real, s.name)
	for _, f := range s.fields {
		field, _, _ := strings.Cut(f.name, "[")
		c.compared++
		c.line(`_Static_assert(offsetof(%s, %s) == offsetof(%s, %s), "offset of %s.%s");`, ours, field, s.real, field, s.name, field)
		c.line(`_Static_assert(SAME(__typeof__(((%s *)0)->%s), __typeof__(((%s *)0)->%s)), "type of %s.%s");`,
			ours, field, s.real, field, s.name, field)
	}
}

// prototype compares the version of the function that the forwarder calls.
func (c *checker) prototype(f function) {
	if !c.has(f.symbol) {
		return
	}
	c.line("#undef %s", f.symbol)
	c.line(`_Static_assert(SAME(__typeof__(%s), CUresult(%s)), "prototype of %s");`, f.symbol, f.types(), f.symbol)
}

func (c *checker) main() {
	c.line("int main(void) {")
	c.line(`	printf("cuda.h %%d: %d facts agree, %d are not in this header:\n", CUDA_VERSION);`, c.compared, len(c.absent))
	for _, n := range c.absent {
		c.line(`	puts("  %s");`, n)
	}
	c.line("\treturn 0;\n}")
}
