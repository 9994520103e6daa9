package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/maruel/natural"
)

// inputStdin is the input that is a video on standard input.
const inputStdin = "-"

// inputs are what the command line names to be read, in order.
type inputs struct {
	names []string
	// several is whether the command line could name more than one, however many there are: what
	// scripts get does not depend on what lies in a folder.
	several bool
}

// gather finds the inputs: arguments, patterns that no shell has expanded, and a list.
func gather(args []string, l list, stdin io.Reader) (inputs, error) {
	in := inputs{several: len(args) > 1}
	for _, arg := range args {
		names, pattern, err := expand(arg)
		if err != nil {
			return in, err
		}
		in.several = in.several || pattern
		in.names = append(in.names, names...)
	}
	if l.file != "" {
		names, err := l.read(stdin)
		if err != nil {
			return in, err
		}
		in.several = true
		in.names = append(in.names, names...)
	}
	return in, in.check(l)
}

// check refuses inputs that can be no video, whatever is in them.
func (in inputs) check(l list) error {
	stdin := 0
	if l.file == inputStdin {
		stdin++
	}
	for _, name := range in.names {
		switch name {
		case "":
			return usage("a variable that is not set?", "the name of an input is empty")
		case inputStdin:
			stdin++
		}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return usage(fmt.Sprintf("to take what is in it: pinring run '%s/*'", strings.TrimRight(name, "/")), "%s is a folder", name)
		}
	}
	switch {
	case stdin > 1 && l.file == inputStdin:
		return usage("write the list to a file", "the list and the input - both want standard input")
	case stdin > 1:
		return usage("- is the video on standard input", "the input - can be read only once")
	case len(in.names) == 0 && l.file != "":
		return usage("", "the list %s names no input", l)
	}
	return nil
}

// expand gives the files that an argument means: itself, or what matches it in natural order (2 before
// 10). Hidden files match no pattern, as in a shell. A file of just that name comes before any pattern.
func expand(arg string) (names []string, pattern bool, err error) {
	if _, err := os.Lstat(arg); err == nil || !isPattern(arg) {
		return []string{arg}, false, nil
	}
	names, err = doublestar.FilepathGlob(arg, doublestar.WithFilesOnly(), doublestar.WithNoHidden())
	switch {
	case err != nil:
		return nil, true, usage("", "%s: %s", arg, err)
	case len(names) == 0:
		return nil, true, usage("", "no file is called %s, and none matches it as a pattern", arg)
	}
	slices.SortStableFunc(names, natural.Compare)
	return names, true, nil
}

// isPattern reports whether the argument can be one. What names a protocol is none: a ? in it begins
// a query.
func isPattern(arg string) bool {
	return strings.ContainsAny(arg, "*?[{") && !strings.Contains(arg, "://")
}
