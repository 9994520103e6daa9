package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// The text table: labels, then as many runs as fit into a terminal of 100 columns; further runs go
// into further tables.
const (
	textWidth  = 100
	labelWidth = 15
	valueWidth = 11 // of a figure
	relWidth   = 9  // of what relates it to reuse
	cellWidth  = valueWidth + relWidth + 1
	perTable   = (textWidth - labelWidth) / cellWidth
)

// PrintCompare writes the table of each card, the verdict and the remarks. It is meant to be read
// without colour, in a fixed-width font.
func (Text) PrintCompare(w io.Writer, c *Compare) error {
	var b bytes.Buffer
	for _, g := range groups(c.Runs) {
		heading := g.title()
		if d := g.detail(); d != "" {
			heading += " (" + d + ")"
		}
		wrapped(&b, "", printable(heading))
		b.WriteByte('\n')
		all := rows(g)
		for from := 0; from < len(g.members); from += perTable {
			textTable(&b, g, all, from, min(from+perTable, len(g.members)))
		}
		if base := g.base(); base != nil && len(g.members) > 1 {
			wrapped(&b, "", "Factors and differences are relative to "+base.label+".")
			b.WriteByte('\n')
		}
	}
	if len(c.Runs) == 0 {
		b.WriteString("no runs\n")
	}
	writeList(&b, "verdict", findingTexts(c.Findings))
	writeList(&b, "emulated", c.Emulates)
	writeList(&b, "not modelled", c.NotModelled)
	writeList(&b, "notes", c.Notes)
	_, err := w.Write(b.Bytes())
	return err
}

func textTable(b *bytes.Buffer, g *group, all []row, from, to int) {
	line := func(label string, text func(i int) string) {
		fmt.Fprintf(b, "%-*s", labelWidth, label)
		for i := from; i < to; i++ {
			b.WriteString(text(i))
		}
		trimRight(b)
		b.WriteByte('\n')
	}
	line("", func(i int) string { return alignRight(g.members[i].label, cellWidth) })
	for _, r := range all {
		if !r.words {
			line(r.label, func(i int) string { return numberCell(r.cells[i]) })
			continue
		}
		line(r.label, func(i int) string { return alignRight(r.cells[i].text, cellWidth) })
		if noted(r.cells[from:to]) {
			line("", func(i int) string { return alignRight(r.cells[i].note, cellWidth) })
		}
	}
	b.WriteByte('\n')
}

func noted(cells []cell) bool {
	for _, c := range cells {
		if c.note != "" {
			return true
		}
	}
	return false
}

// numberCell keeps the figures of a column under one another, whether or not something follows.
func numberCell(c cell) string {
	return alignRight(c.text, valueWidth) + alignRight(c.relative, relWidth+1)
}

// alignRight pads, or shortens with an ellipsis, to exactly width characters, the first a space.
func alignRight(s string, width int) string {
	s = printable(s)
	if n := utf8.RuneCountInString(s); n < width {
		return strings.Repeat(" ", width-n) + s
	}
	return " " + string([]rune(s)[:width-4]) + "..."
}

func trimRight(b *bytes.Buffer) {
	b.Truncate(len(bytes.TrimRight(b.Bytes(), " ")))
}

func findingTexts(f []Finding) []string {
	out := make([]string, len(f))
	for i := range f {
		out[i] = f[i].Text
	}
	return out
}

// writeList writes a heading and its paragraphs, wrapped; nothing without paragraphs.
func writeList(b *bytes.Buffer, heading string, items []string) {
	if len(items) == 0 {
		return
	}
	if bytes.HasSuffix(b.Bytes(), []byte("\n")) && !bytes.HasSuffix(b.Bytes(), []byte("\n\n")) {
		b.WriteByte('\n')
	}
	b.WriteString(heading + "\n")
	for _, s := range items {
		wrapped(b, "- ", printable(s))
	}
}

// wrapped writes a paragraph in lines of at most textWidth characters; later lines are indented as
// deep as the mark. A word longer than a line stays whole: it may be a path to copy.
func wrapped(b *bytes.Buffer, mark, s string) {
	indent := strings.Repeat(" ", len(mark))
	line := mark
	for word := range strings.FieldsSeq(s) {
		if line != mark && line != indent && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWidth {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != mark && line != indent {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}
