package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// PrintMemory writes a table of sources for each moment.
func (Text) PrintMemory(w io.Writer, m *Memory) error {
	var b bytes.Buffer
	if m.Pin != nil {
		writePin(&b, m)
		_, err := w.Write(b.Bytes())
		return err
	}
	for from := 0; from < len(m.Readings); {
		to := from + 1
		for to < len(m.Readings) && sameMoment(&m.Readings[from], &m.Readings[to]) {
			to++
		}
		if tag := m.Readings[from].Tag; tag != nil {
			fmt.Fprintf(&b, "[%s]", printable(*tag))
			if m.Readings[from].T > 0 {
				fmt.Fprintf(&b, " %.1f s", m.Readings[from].T)
			}
			b.WriteByte('\n')
		}
		sources := make([]Source, 0, to-from)
		for _, r := range m.Readings[from:to] {
			sources = append(sources, r.Source)
		}
		writeSources(&b, sources)
		from = to
	}
	writeList(&b, "not seen for lack of a meter", m.Missing)
	_, err := w.Write(b.Bytes())
	return err
}

// writePin writes for each source a line for each moment: before, with pinned memory, after the free,
// and when it is back.
func writePin(b *bytes.Buffer, m *Memory) {
	seen := map[[2]string]bool{}
	for i := range m.Readings {
		s := &m.Readings[i].Source
		key := [2]string{s.Source, s.Domain}
		if seen[key] {
			continue
		}
		seen[key] = true
		wrapped(b, "", printable(fmt.Sprintf("%s (compare with %s)", s.Source, s.Twin)))
		c := columns{left: 1}
		for j := range m.Readings {
			if r := &m.Readings[j]; r.Source.Source == s.Source && r.Domain == s.Domain {
				c.add(fmt.Sprintf("  [%s]", tagText(r)), "free "+size(r.Free), "total "+size(r.Total), "used "+size(r.Used))
			}
		}
		c.write(b)
		b.WriteByte('\n')
	}
	wrapped(b, "", printable(pinText(m.Pin)))
	writeList(b, "not seen for lack of a meter", m.Missing)
}

func tagText(r *MemoryReading) string {
	s := ""
	if r.Tag != nil {
		s = printable(*r.Tag)
	}
	if r.T >= 0.05 {
		s += fmt.Sprintf(", %.1f s", r.T)
	}
	return s
}

func sameMoment(a, b *MemoryReading) bool {
	return a.T == b.T && (a.Tag == nil) == (b.Tag == nil) && (a.Tag == nil || *a.Tag == *b.Tag)
}

func pinText(p *MemoryPin) string {
	switch {
	case p.Error != nil:
		return fmt.Sprintf("%s of pinned memory could not be had: %s", block(p.Bytes), *p.Error)
	case p.ReturnedNot:
		return fmt.Sprintf("%s of pinned memory: not back when the watch ended.", block(p.Bytes))
	case p.ReturnedAfter == nil:
		return fmt.Sprintf("%s of pinned memory: no source of the device showed it.", block(p.Bytes))
	}
	return fmt.Sprintf("%s of pinned memory: back %s after the free.", block(p.Bytes), later(*p.ReturnedAfter))
}

// PrintWatch writes a line for each number that was watched.
func (Text) PrintWatch(w io.Writer, x *Watch) error {
	var b bytes.Buffer
	end := "goes on"
	switch {
	case x.ExitCode != nil:
		end = x.ending()
	case x.Ended:
		end = "ended"
	}
	wrapped(&b, "", printable(fmt.Sprintf("watch: %s (process %d) for %.1f s; it %s", x.Program, x.PID, x.Seconds, end)))
	b.WriteByte('\n')
	c := columns{left: 1}
	c.add("source", "first", "most", "last", "  compare with")
	for _, l := range x.Lines {
		c.add(printable(l.Name), size(l.First), size(l.Peak), size(l.Last), "")
	}
	c.rows = alignLast(c.rows, func(i int) string { return "  " + printable(x.Lines[i].Twin) })
	c.write(&b)
	writeList(&b, "not seen for lack of a meter", x.Missing)
	_, err := w.Write(b.Bytes())
	return err
}

// PrintDoctor writes a line for each check, and the settings.
func (Text) PrintDoctor(w io.Writer, d *Doctor) error {
	var b bytes.Buffer
	wide := 0
	for _, c := range d.Checks {
		wide = max(wide, len([]rune(c.Name)))
	}
	for _, c := range d.Checks {
		text := c.Text
		if c.Advice != nil {
			text += ". To do: " + *c.Advice
		}
		wrapped(&b, fmt.Sprintf("%-8s %-*s  ", c.Level, wide, printable(c.Name)), printable(text))
	}
	b.WriteByte('\n')
	wrapped(&b, "", printable(d.Verdict))
	if r := d.Recommended; r != nil {
		b.WriteString("\nrecommended pinring.yaml\n")
		for line := range strings.Lines(r.File) {
			b.WriteString("  " + printable(strings.TrimSuffix(line, "\n")) + "\n")
		}
		writeList(&b, "because", r.Reasons)
	}
	_, err := w.Write(b.Bytes())
	return err
}
