package kernels

import "strings"

// text is a string that remembers where each of its bytes stood in the chain, so that errors in
// unescaped text still point at the right place.
type text struct {
	s   string
	pos []int // pos[i] is the offset of s[i] in the chain; pos[len(s)] that of the end
}

func newText(s string) text {
	t := text{s: s, pos: make([]int, len(s)+1)}
	for i := range t.pos {
		t.pos[i] = i
	}
	return t
}

// from is the text without its first i bytes.
func (t text) from(i int) text { return text{t.s[i:], t.pos[i:]} }

const blanks = " \n\t\r"

// skipBlanks is t without leading white space.
func (t text) skipBlanks() text { return t.from(len(t.s) - len(strings.TrimLeft(t.s, blanks))) }

// token reads up to one of the terminators, with FFmpeg's quoting: \ takes the next character as it
// is, '…' everything up to the next '; white space around it is dropped unless quoted. It returns the
// unescaped token and what follows it, terminator included.
func (t text) token(terminators string) (tok, rest text, err *ParseError) {
	t = t.skipBlanks()
	var b []byte
	var pos []int
	keep, i := 0, 0 // keep: bytes that the trimming of blanks must leave
	add := func(at int) {
		b, pos = append(b, t.s[at]), append(pos, t.pos[at])
	}
	for i < len(t.s) && strings.IndexByte(terminators, t.s[i]) < 0 {
		switch c := t.s[i]; {
		case c == '\\' && i+1 < len(t.s):
			add(i + 1)
			keep = len(b)
			i += 2
		case c == '\'':
			end := strings.IndexByte(t.s[i+1:], '\'')
			if end < 0 {
				return text{}, text{}, &ParseError{Pos: t.pos[i], Message: "the quote that opens here is never closed"}
			}
			for j := i + 1; j <= i+end; j++ {
				add(j)
			}
			keep = len(b)
			i += end + 2
		default:
			add(i)
			i++
		}
	}
	n := max(keep, len(strings.TrimRight(string(b), blanks)))
	tail := t.pos[i]
	if n < len(b) {
		tail = pos[n]
	}
	return text{string(b[:n]), append(pos[:n:n], tail)}, t.from(i), nil
}

// escape is the inverse of token: a spelling of s that token, given any of the terminators, reads as
// s.
func escape(s, terminators string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		edge := i == 0 || i == len(s)-1
		if c == '\\' || c == '\'' || strings.IndexByte(terminators, c) >= 0 ||
			edge && strings.IndexByte(blanks, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
