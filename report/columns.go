package report

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// columns is a table whose columns are as wide as they need to be. The first ones are aligned left,
// the others right.
type columns struct {
	left int // how many
	rows [][]string
}

func (c *columns) add(cells ...string) { c.rows = append(c.rows, cells) }

// write writes the table; a last cell that says something in words may be as long as it likes.
func (c *columns) write(b *bytes.Buffer) {
	var width []int
	for _, r := range c.rows {
		for i, s := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(s))
		}
	}
	for _, r := range c.rows {
		for i, s := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(s))
			if i > 0 {
				b.WriteString("  ")
			}
			if i < c.left {
				b.WriteString(s + pad)
			} else {
				b.WriteString(pad + s)
			}
		}
		trimRight(b)
		b.WriteByte('\n')
	}
}
