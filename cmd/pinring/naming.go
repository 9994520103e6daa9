package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pinring/pinring/config"
)

// naming makes the name of an output from that of its input. It is -o, taken apart.
type naming struct {
	parts  []part
	folder bool // -o is a folder: outputs are called like their inputs
	makes  bool // missing folders are made: -o is a folder or has placeholders
}

// part is literal text or a placeholder.
type part struct{ text, placeholder string }

// placeholders are what may stand in braces, each with what it means.
var placeholders = []string{"name", "ext", "dir", "index"}

// parseNaming reads -o. {{ and }} are braces.
func parseNaming(output string) (naming, error) {
	var n naming
	rest := output
	literal := func(s string) { n.parts = append(n.parts, part{text: s}) }
	for {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			break
		}
		literal(rest[:i])
		brace, after := rest[i], rest[i+1:]
		if after != "" && after[0] == brace {
			literal(string(brace))
			rest = after[1:]
			continue
		}
		name, tail, closed := strings.Cut(after, "}")
		if brace == '}' || !closed {
			return n, usage("{{ and }} are braces in a name", "-o %s: a %q stands alone", output, string(brace))
		}
		if !known(name) {
			return n, usage(placeholderHint(name), "-o %s: there is no {%s}", output, name)
		}
		n.parts = append(n.parts, part{placeholder: name})
		n.makes = true
		rest = tail
	}
	literal(rest)
	n.folder = isFolder(output)
	n.makes = n.makes || n.folder
	return n, nil
}

func known(placeholder string) bool {
	for _, p := range placeholders {
		if p == placeholder {
			return true
		}
	}
	return false
}

func placeholderHint(name string) string {
	if near := config.Nearest(name, placeholders); near != "" {
		return fmt.Sprintf("the nearest is {%s}; {{ and }} are braces in a name", near)
	}
	return "there are {name}, {ext}, {dir} and {index}; {{ and }} are braces in a name"
}

// isFolder reports whether the output is a folder, because it is one or is written like one.
func isFolder(output string) bool {
	if output == "" || strings.HasPrefix(output, outputMD5) {
		return false
	}
	if os.IsPathSeparator(output[len(output)-1]) {
		return true
	}
	info, err := os.Stat(output)
	return err == nil && info.IsDir()
}

// of names the output of input number i of n, counted from 0.
func (n naming) of(input string, i, count int) string {
	if input == inputStdin {
		input = "stdin"
	}
	base := filepath.Base(input)
	var b strings.Builder
	for _, p := range n.parts {
		b.WriteString(p.text)
		switch p.placeholder {
		case "name":
			b.WriteString(stem(base))
		case "ext":
			b.WriteString(strings.TrimPrefix(base[len(stem(base)):], "."))
		case "dir":
			b.WriteString(filepath.Dir(input))
		case "index":
			fmt.Fprintf(&b, "%0*d", len(fmt.Sprint(count)), i+1) // as wide as the last one's
		}
	}
	if n.folder {
		return filepath.Join(b.String(), base)
	}
	return b.String()
}

// stem is a name without its extension. The dot of a hidden file begins none.
func stem(base string) string {
	s := strings.TrimSuffix(base, filepath.Ext(base))
	if s == "" {
		return base
	}
	return s
}
