package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Talk is what a program says to a person, on stderr: plain lines, without colours or anything else
// that only some terminals obey. It is safe for concurrent use.
type Talk struct {
	program string
	mu      sync.Mutex
	w       io.Writer
	quiet   bool

	parent *Talk  // says it for this one; nil: this one says it
	label  string // what this one's lines are about
}

// NewTalk makes the talk of a program.
func NewTalk(program string, w io.Writer) *Talk { return &Talk{program: program, w: w} }

// About is a talk whose lines are marked with a label.
func (t *Talk) About(label string) *Talk { return &Talk{parent: t, label: label} }

// Say writes a line, unless the user wants quiet.
func (t *Talk) Say(format string, args ...any) {
	if t.parent != nil {
		t.parent.Say("%s: %s", t.label, fmt.Sprintf(format, args...))
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.quiet {
		fmt.Fprintf(t.w, "%s: %s\n", t.program, Printable(fmt.Sprintf(format, args...)))
	}
}

// Printable spells control characters out: names of files may hold some that a terminal obeys.
func Printable(s string) string {
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

// BeQuiet leaves errors as the only thing said.
func (t *Talk) BeQuiet() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.quiet = true
}

// Redirect makes w the place to talk to, and returns the one before: a progress line owns the
// terminal while it is drawn.
func (t *Talk) Redirect(w io.Writer) io.Writer {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.w
	t.w = w
	return old
}

// Fail writes each line of the error, and what to do about it; of an [ExitError] what it has to say.
func (t *Talk) Fail(err error) {
	var exit *ExitError
	if errors.As(err, &exit) {
		err = exit.Err
	}
	if err != nil {
		t.failAbout("", err)
	}
}

func (t *Talk) failAbout(label string, err error) {
	if t.parent != nil {
		t.parent.failAbout(t.label+": ", err)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.SplitSeq(strings.TrimSpace(err.Error()), "\n") {
		fmt.Fprintf(t.w, "%s: %s%s\n", t.program, label, Printable(strings.TrimSuffix(line, "\n")))
	}
	if hint := HintOf(err); hint != "" {
		fmt.Fprintf(t.w, "hint: %s\n", Printable(hint))
	}
}
