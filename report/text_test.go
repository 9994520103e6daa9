package report_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pinring/pinring/report"
)

func text(t *testing.T, c *report.Compare) string {
	t.Helper()
	var b bytes.Buffer
	if err := (report.Text{}).PrintCompare(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A line is longer than a terminal only when it is one word, which may be a path to copy.
func TestTextFitsATerminal(t *testing.T) {
	for name, c := range samples() {
		for line := range strings.Lines(text(t, c)) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > 100 && len(strings.Fields(line)) > 2 {
				t.Errorf("%s: %d characters: %s", name, n, line)
			}
			if strings.HasSuffix(line, " ") {
				t.Errorf("%s: the line ends in a space: %q", name, line)
			}
		}
	}
}

// A file's name must not reach the terminal as an escape sequence.
func TestTextHasNoControlCharacters(t *testing.T) {
	for name, c := range samples() {
		s := text(t, c)
		if !utf8.ValidString(s) {
			t.Errorf("%s: not UTF-8", name)
		}
		for _, r := range s {
			if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%s: character %U", name, r)
			}
		}
	}
}
