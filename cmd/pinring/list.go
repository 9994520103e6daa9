package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// list is a file that names inputs: --list FILE, - for standard input. One name a line, or with -0
// each ended by a NUL, for names that hold line breaks. Names in it are no patterns.
type list struct {
	file string // empty: no list
	nul  bool
}

// mostListed bounds what is read of a list: a video that is taken for one ends here.
const mostListed = 64 << 20

func (l list) String() string {
	if l.file == inputStdin {
		return "on standard input"
	}
	return l.file
}

// read gives the names in the list.
func (l list) read(stdin io.Reader) ([]string, error) {
	r := stdin
	if l.file != inputStdin {
		f, err := os.Open(l.file)
		if err != nil {
			return nil, usage("", "--list: %s", err)
		}
		defer f.Close()
		r = f
	}
	text, err := io.ReadAll(io.LimitReader(r, mostListed+1))
	if err == nil && len(text) > mostListed {
		err = fmt.Errorf("%s is longer than %d bytes", l, mostListed)
	}
	if err != nil {
		return nil, usage("", "--list: %s", err)
	}
	return l.parse(text)
}

// parse takes a list apart. Empty entries are left out, and the carriage return that Windows ends a
// line with.
func (l list) parse(text []byte) (names []string, err error) {
	end := byte('\n')
	if l.nul {
		end = 0
	} else if i := bytes.IndexByte(text, 0); i >= 0 {
		line := 1 + bytes.Count(text[:i], []byte{'\n'})
		return nil, usage("-0 reads a list whose names are ended by a NUL, as find -print0 writes it", "--list: line %d of %s holds a NUL", line, l)
	}
	for name := range bytes.SplitSeq(text, []byte{end}) {
		if !l.nul {
			name = bytes.TrimSuffix(name, []byte{'\r'})
		}
		if len(name) > 0 {
			names = append(names, string(name))
		}
	}
	return names, nil
}
