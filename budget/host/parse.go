package host

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// errNoField says that a file has no such line.
var errNoField = errors.New("no such field")

// field finds the number behind name in the lines of b, "name: 123 kB" or "name 123". It does not
// allocate unless it fails.
func field(b []byte, name string) (int64, error) {
	for len(b) > 0 {
		line := b
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			line, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		if len(line) <= len(name) || string(line[:len(name)]) != name {
			continue
		}
		rest := line[len(name):]
		if rest[0] != ':' && rest[0] != ' ' {
			continue
		}
		n, unit, err := number(bytes.TrimLeft(rest, ": \t"))
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		if string(unit) == "kB" {
			if n > math.MaxInt64/1024 {
				return 0, fmt.Errorf("%s: %d kB is too large", name, n)
			}
			n *= 1024
		}
		return n, nil
	}
	return 0, fmt.Errorf("%s: %w", name, errNoField)
}

// number reads the digits that b begins with, and returns what follows without spaces.
func number(b []byte) (n int64, rest []byte, err error) {
	i := 0
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		d := int64(b[i] - '0')
		if n > (math.MaxInt64-d)/10 {
			return 0, nil, errors.New("the number is too large")
		}
		n = 10*n + d
	}
	if i == 0 {
		return 0, nil, errors.New("not a number")
	}
	return n, bytes.TrimSpace(b[i:]), nil
}

// unlimited is where a limit stops being one: no machine has a pebibyte. Version 1 writes the largest
// number of whole pages for "no limit".
const unlimited = 1 << 50

// limit reads a memory limit: a number, or "max"; none is false.
func limit(b []byte) (n int64, limited bool, err error) {
	b = bytes.TrimSpace(b)
	if string(b) == "max" {
		return 0, false, nil
	}
	n, rest, err := number(b)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("unexpected %q behind the number", rest)
	}
	return n, err == nil && n < unlimited, err
}

// memlock reads the soft limit of locked memory from /proc/self/limits; none is false.
func memlock(b []byte) (n int64, limited bool, err error) {
	const name = "Max locked memory"
	for line := range bytes.Lines(b) {
		rest, ok := bytes.CutPrefix(line, []byte(name))
		if !ok {
			continue
		}
		rest = bytes.TrimSpace(rest)
		if bytes.HasPrefix(rest, []byte("unlimited")) {
			return 0, false, nil
		}
		n, _, err := number(rest)
		return n, err == nil, err
	}
	return 0, false, fmt.Errorf("%s: %w", name, errNoField)
}

// groups are the control groups of a process, as /proc/self/cgroup tells: the path in version 2's
// hierarchy and in version 1's of the memory controller, empty when there is none.
type groups struct{ v2, v1 string }

func parseGroups(b []byte) (g groups) {
	for line := range bytes.Lines(b) {
		parts := bytes.SplitN(bytes.TrimRight(line, "\n"), []byte(":"), 3)
		if len(parts) != 3 || len(parts[2]) == 0 || parts[2][0] != '/' {
			continue
		}
		if len(parts[1]) == 0 && string(parts[0]) == "0" {
			g.v2 = string(parts[2])
		}
		for c := range bytes.SplitSeq(parts[1], []byte(",")) {
			if string(c) == "memory" {
				g.v1 = string(parts[2])
			}
		}
	}
	return g
}

// mount is where a hierarchy of control groups is visible: root is the group at its top.
type mount struct{ point, root string }

// parseMounts finds the two hierarchies in /proc/self/mountinfo (proc(5)).
func parseMounts(b []byte) (v2, v1 mount) {
	for line := range bytes.Lines(b) {
		head, tail, ok := bytes.Cut(line, []byte(" - "))
		f, t := bytes.Fields(head), bytes.Fields(tail)
		if !ok || len(f) < 5 || len(t) < 3 {
			continue
		}
		m := mount{point: unescape(f[4]), root: unescape(f[3])}
		switch string(t[0]) {
		case "cgroup2":
			v2 = m
		case "cgroup":
			for o := range bytes.SplitSeq(t[2], []byte(",")) {
				if string(o) == "memory" {
					v1 = m
				}
			}
		}
	}
	return v2, v1
}

// unescape reads the octal escapes that the kernel writes for spaces and the like.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b)
	}
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+3 < len(b) {
			if n, err := strconv.ParseUint(string(b[i+1:i+4]), 8, 8); err == nil {
				out = append(out, byte(n))
				i += 3
				continue
			}
		}
		out = append(out, b[i])
	}
	return string(out)
}
