package report

import (
	"strings"
	"unicode"
)

// printable is a text for one line of a page or of a terminal, whatever a file is named: what is no
// character, or controls a terminal or the direction of writing, becomes a replacement character.
// What is left can also stand in XML.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == 0xfffe || r == 0xffff:
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}
