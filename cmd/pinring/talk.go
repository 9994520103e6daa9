package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// talk is what the program says to a person, on stderr. It is safe for concurrent use.
type talk struct {
	mu    sync.Mutex
	w     io.Writer
	quiet bool
}

// say writes a line, unless the user wants quiet.
func (t *talk) say(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.quiet {
		fmt.Fprintf(t.w, "pinring: %s\n", printable(fmt.Sprintf(format, args...)))
	}
}

// printable spells control characters out: names of files may hold some that a terminal obeys.
func printable(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// beQuiet leaves errors as the only thing said.
func (t *talk) beQuiet() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.quiet = true
}

// redirect makes w the place to talk to, and returns the one before: the progress line owns the
// terminal while it is drawn.
func (t *talk) redirect(w io.Writer) io.Writer {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.w
	t.w = w
	return old
}

// fail writes each line of the error, and what to do about it.
func (t *talk) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
		fmt.Fprintf(t.w, "pinring: %s\n", printable(strings.TrimSuffix(line, "\n")))
	}
	if hint := hintOf(err); hint != "" {
		fmt.Fprintf(t.w, "hint: %s\n", printable(hint))
	}
}

// hinted is an error with advice.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// hintOf finds the outermost advice in an error.
func hintOf(err error) string {
	var h *hinted
	if errors.As(err, &h) {
		return h.hint
	}
	var other interface{ Hint() string }
	if errors.As(err, &other) {
		return other.Hint()
	}
	return ""
}
