package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
)

// Text prints a few aligned lines for people.
type Text struct{}

// PrintRun writes a line per subject that the run got as far as knowing.
func (Text) PrintRun(w io.Writer, r *Run) error {
	var t table
	t.line("frames", framesText(r.Frames))
	if r.Images != nil {
		t.line("images", count(*r.Images))
	}
	t.line("time", timeText(r))
	t.line("device", deviceText(r))
	t.line("upload", ringText(r.HostMemory.Upload))
	t.line("download", ringText(r.HostMemory.Download))
	t.line("pinned", pinnedText(r))
	t.line("in flight", inFlightText(r))
	_, err := w.Write(t.buf.Bytes())
	return err
}

// table aligns lines of a label and a text.
type table struct{ buf bytes.Buffer }

func (t *table) line(label, text string) {
	if text != "" {
		fmt.Fprintf(&t.buf, "%-10s %s\n", label, text)
	}
}

func framesText(f *Frames) string {
	if f == nil {
		return ""
	}
	parts := []string{
		fmt.Sprintf("%s decoded, %s delivered", count(f.Decoded), count(f.Delivered)),
	}
	for _, p := range []struct {
		n    int64
		what string
	}{
		{f.Discarded, "discarded"}, {f.Concealed, "concealed"}, {f.Undecodable, "undecodable"},
		{f.Repeated, "repeated"}, {f.Trimmed, "trimmed before the start"}, {f.Degraded, "degraded to pageable memory"},
		{f.BandedUp, "went up in bands"}, {f.BandedDown, "came down in bands"},
		{f.FilterDropped, "dropped by filters"}, {f.FilterAdded, "added by filters"},
	} {
		if p.n != 0 {
			parts = append(parts, count(p.n)+" "+p.what)
		}
	}
	// Said even when 0: that it is 0 is the point of the ring.
	parts = append(parts, fmt.Sprintf("copied_to_slot %s", count(f.CopiedToSlot)))
	if f.CopiedToEncoder != 0 {
		parts = append(parts, fmt.Sprintf("copied_to_encoder %s", count(f.CopiedToEncoder)))
	}
	return strings.Join(parts, ", ")
}

func timeText(r *Run) string {
	if r.Seconds == nil {
		return ""
	}
	s := fmt.Sprintf("%.2f s", *r.Seconds)
	if r.FPS != nil {
		s += fmt.Sprintf(", %.1f fps", *r.FPS)
	}
	return s
}

func deviceText(r *Run) string {
	if r.Device == nil {
		return ""
	}
	s := fmt.Sprintf("%s, %s", r.Device.Kind, r.Device.Name)
	if n := r.Device.FromFrame; n != nil {
		s += fmt.Sprintf(", from frame %d on; the CPU before", *n)
	}
	if r.Emulated && r.Emulation != nil {
		s += ", emulating " + r.Emulation.Profile
	}
	return s
}

func ringText(g *Ring) string {
	if g == nil {
		return ""
	}
	s := fmt.Sprintf("%s of %s bytes, %s%s, %s%s", plural(int64(g.Slots), "slot"), count(g.SlotBytes),
		plural(g.Allocs, "allocation"), timesText(g.AllocMicros), plural(g.Frees, "free"), timesText(g.FreeMicros))
	return s
}

func timesText(t *Times) string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf(" (p50 %s, p99 %s)", micros(t.P50), micros(t.P99))
}

func pinnedText(r *Run) string {
	h := r.HostMemory
	if h.Upload == nil && h.Download == nil {
		return ""
	}
	var sum int64
	for _, g := range []*Ring{h.Upload, h.Download} {
		if g != nil {
			sum += g.PinnedPeakBytes
		}
	}
	s := fmt.Sprintf("%s (%s bytes) at most", humanize.IBytes(uint64(max(sum, 0))), count(sum))
	if r.Device != nil && r.Device.Kind == "cpu" {
		s += "; the CPU device does not page-lock it" // the name is the column's, not the fact
	}
	return s
}

func inFlightText(r *Run) string {
	if r.InFlightMax == nil {
		return ""
	}
	return fmt.Sprintf("%s at most", plural(int64(*r.InFlightMax), "frame"))
}
