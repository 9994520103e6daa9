package report

import (
	"bytes"
	"fmt"
	"io"
)

// PrintProbe writes the tables, the verdict and the claims. It is meant to be read without colour, in a
// fixed-width font.
func (Text) PrintProbe(w io.Writer, p *Probe) error {
	var b bytes.Buffer
	heading := "probe"
	if p.Device != nil {
		heading += ": " + p.Device.Name
		if p.Device.DriverModel != nil {
			heading += ", " + *p.Device.DriverModel
		}
	}
	if p.Emulated && p.Emulation != nil {
		heading = fmt.Sprintf("probe: the emulated card %s (%s, %s clock)", p.Emulation.Profile, p.Emulation.Mode, p.Emulation.Clock)
	}
	wrapped(&b, "", printable(heading))
	b.WriteByte('\n')
	writeSources(&b, p.Sources)
	writeRows(&b, p.Rows)
	writeFrames(&b, p)
	writeList(&b, "verdict", findingTexts(p.Findings))
	if len(p.Rows) > 0 {
		writeClaims(&b, p.Claims)
	}
	writeList(&b, "not seen for lack of a meter", p.Missing)
	_, err := w.Write(b.Bytes())
	return err
}

func writeSources(b *bytes.Buffer, sources []Source) {
	if len(sources) == 0 {
		return
	}
	c := columns{left: 1}
	c.add("source", "used", "free", "total", "  compare with")
	for _, s := range sources {
		c.add(printable(s.Source), size(s.Used), size(s.Free), size(s.Total), "")
	}
	c.rows = alignLast(c.rows, func(i int) string { return "  " + printable(sources[i].Twin) })
	c.write(b)
	b.WriteByte('\n')
}

// alignLast puts words into the last column, padded so that they stand on the left.
func alignLast(rows [][]string, text func(i int) string) [][]string {
	last := len(rows[0]) - 1
	wide := len([]rune(rows[0][last]))
	for i := range rows[1:] {
		rows[i+1][last] = text(i)
		wide = max(wide, len([]rune(rows[i+1][last])))
	}
	for i := range rows {
		rows[i][last] = fmt.Sprintf("%-*s", wide, rows[i][last])
	}
	return rows
}

func writeRows(b *bytes.Buffer, rows []ProbeRow) {
	if len(rows) == 0 {
		return
	}
	shared := false
	for i := range rows {
		shared = shared || rows[i].SharedDeltaBytes != nil
	}
	c := columns{left: 1}
	head := []string{"memory", "size", "video memory", "ratio"}
	if shared {
		head = append(head, "shared", "ratio")
	}
	c.add(append(head, "host", "alloc", "free", "back after")...)
	var notes []string
	for i := range rows {
		r := &rows[i]
		if why := r.why(); why != "" {
			notes = append(notes, fmt.Sprintf("%s, %s: %s", r.Kind, block(r.Bytes), why))
		}
		cells := []string{r.Kind, block(r.Bytes), deltaText(r.DeviceDeltaBytes), ratioCell(r.DeviceDeltaBytes, r.Bytes)}
		if shared {
			cells = append(cells, deltaText(r.SharedDeltaBytes), ratioCell(r.SharedDeltaBytes, r.Bytes))
		}
		c.add(append(cells, deltaText(r.HostDeltaBytes), millisText(r.AllocMillis), millisText(r.FreeMillis), r.backText())...)
	}
	c.write(b)
	b.WriteByte('\n')
	for _, n := range notes {
		wrapped(b, "", printable(n))
	}
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
}

// why says why a row has no figures.
func (r *ProbeRow) why() string {
	switch {
	case r.Skipped != nil:
		return "not tried: " + *r.Skipped
	case r.Error != nil:
		return *r.Error
	}
	return ""
}

func (r *ProbeRow) backText() string {
	switch {
	case r.Skipped != nil:
		return "not tried"
	case r.Error != nil:
		return "refused"
	case r.ReturnedNot:
		return fmt.Sprintf("not in %.0f s", r.WatchedForSeconds)
	case r.ReturnedAfter == nil:
		return none
	}
	return later(*r.ReturnedAfter)
}

func deltaText(n *int64) string {
	switch {
	case n == nil:
		return none
	case *n > 0:
		return "+" + size(*n)
	}
	return size(*n)
}

func ratioCell(n *int64, bytes int64) string {
	if n == nil || bytes == 0 {
		return none
	}
	return ratioText(max(float64(*n), 0) / float64(bytes))
}

func millisText(ms *float64) string {
	if ms == nil {
		return none
	}
	return later(*ms)
}

func writeFrames(b *bytes.Buffer, p *Probe) {
	lines := [][2]string{{"reuse", framesLine(p.Reuse)}, {"churn", framesLine(p.Churn)}, {"room", p.Room.text()}}
	any := false
	for _, l := range lines {
		if l[1] != "" {
			wrapped(b, fmt.Sprintf("%-6s ", l[0]), printable(l[1]))
			any = true
		}
	}
	if any {
		b.WriteByte('\n')
	}
}

func (m *ProbeRoom) text() string {
	if m == nil {
		return ""
	}
	pinned := "not known"
	if m.PinnedBytes != nil {
		pinned = size(*m.PinnedBytes)
	}
	return fmt.Sprintf("largest device allocation: %s; beside %s pageable %s, beside %s pinned %s",
		size(m.NothingBytes), block(m.HeldBytes), size(m.PageableBytes), block(m.HeldBytes), pinned)
}

// framesLine is churn or reuse in a line.
func framesLine(f *ProbeFrames) string {
	if f == nil {
		return ""
	}
	s := fmt.Sprintf("%s bytes for each frame, %g a second, %s", count(f.Bytes), f.Rate, plural(f.Done, "frame"))
	if f.FailedAt != nil {
		s += fmt.Sprintf(", out of memory at frame %s", count(*f.FailedAt))
	}
	if f.GrowthBytes != nil {
		s += fmt.Sprintf("; %s %s at most, slope %s a frame", deltaText(f.GrowthBytes), domainName(*f.Domain), size(int64(*f.SlopePerFrame)))
	}
	if f.AllocMicros != nil && f.FreeMicros != nil {
		s += fmt.Sprintf("; alloc %s, free %s (medians)", micros(f.AllocMicros.P50), micros(f.FreeMicros.P50))
	}
	if f.ReturnedAfter != nil {
		s += fmt.Sprintf("; back %s after the last", later(*f.ReturnedAfter))
	}
	return s
}

var claimWords = map[string]string{Holds: "holds here", HoldNot: "does not hold here", NotSeen: "not seen here"}

func writeClaims(b *bytes.Buffer, claims []Claim) {
	if len(claims) == 0 {
		return
	}
	b.WriteString("\nwhat one developer reported for his Windows machine, and what was seen here\n")
	for _, c := range claims {
		wrapped(b, fmt.Sprintf("%2d. ", c.Number), printable(fmt.Sprintf("%s: %s (%s)", upper(c.Claim), claimWords[c.Here], c.Why)))
	}
}
