package report

import (
	"math"
	"strings"
)

// cell is what a run has to say on one subject.
type cell struct {
	text     string // "315.0", or none
	relative string // to reuse: "0.06x", "-990 MB"; "" for reuse itself and where there is nothing to relate
	note     string // second line of a text that stands for itself
	bad      bool   // draws attention
}

// row is one subject, with a cell for each member of the group.
type row struct {
	label string
	hint  string // what it means, for a reader who does not know
	words bool   // cells are words, not numbers
	cells []cell
}

// subject makes the cells of a row.
type subject struct {
	label, hint string
	words       bool
	cell        func(r, base *Run) cell
}

var subjects = []subject{
	{"outcome", "how the run ended", true, func(r, _ *Run) cell { return outcomeCell(r) }},
	{"frames", "delivered", false, func(r, b *Run) cell { return countCell(framesDelivered(r), framesDelivered(b)) }},
	{"fps", "frames per second of the whole run", false, func(r, b *Run) cell { return rateCell(r.FPS, fpsOf(b)) }},
	{"transfer fps", "without decoding and memcpy", false, func(r, b *Run) cell { return rateCell(r.TransferFPS, transferOf(b)) }},
	{"allocations", "of host memory", false, func(r, b *Run) cell { return countCell(allocs(r), allocs(b)) }},
	{"alloc p50", "half take longer", false, timeCell(allocTimes, func(t *Times) float64 { return t.P50 })},
	{"alloc p99", "one in a hundred takes longer", false, timeCell(allocTimes, func(t *Times) float64 { return t.P99 })},
	{"free p50", "", false, timeCell(freeTimes, func(t *Times) float64 { return t.P50 })},
	{"free p99", "", false, timeCell(freeTimes, func(t *Times) float64 { return t.P99 })},
	{"pinned peak", "of page-locked slots at once", false, func(r, b *Run) cell { return sizeCell(pinnedPeak(r), pinnedPeak(b), false) }},
	{"least headroom", "budget minus usage, at the worst", false, func(r, b *Run) cell { return sizeCell(headroom(r), headroom(b), true) }},
	{"device alloc", "largest still possible", false, func(r, b *Run) cell { return sizeCell(deviceAlloc(r), deviceAlloc(b), true) }},
	{"guard waited", "frames held back by the guard", false, func(r, _ *Run) cell { return waitedCell(r) }},
}

// rows makes the table of a group. Subjects about which no run says anything are left out.
func rows(g *group) []row {
	var base *Run
	if b := g.base(); b != nil {
		base = b.Run
	}
	var out []row
	for _, s := range subjects {
		r := row{label: s.label, hint: s.hint, words: s.words}
		said := false
		for _, m := range g.members {
			b := base
			if b == m.Run {
				b = nil // nothing is relative to itself
			}
			c := s.cell(m.Run, b)
			said = said || c.text != none
			r.cells = append(r.cells, c)
		}
		if said {
			out = append(out, r)
		}
	}
	return out
}

func outcomeCell(r *Run) cell {
	switch r.Outcome {
	case OK:
		return cell{text: "ok"}
	case Lost:
		return cell{text: "frames lost", bad: true}
	case OOM:
		return cell{text: "out of memory", note: strings.TrimPrefix(atFrame(r), " "), bad: true}
	case Interrupted:
		return cell{text: "interrupted", bad: true}
	case "":
		return cell{text: none}
	}
	return cell{text: "failed", note: strings.TrimPrefix(atFrame(r), " "), bad: true}
}

func countCell(n, base *int64) cell {
	if n == nil {
		return cell{text: none}
	}
	c := cell{text: count(*n)}
	if base != nil && *base > 0 {
		c.relative = factor(float64(*n)/float64(*base)) + "x"
	}
	return c
}

func rateCell(fps, base *float64) cell {
	f, ok := known(fps)
	if !ok {
		return cell{text: none}
	}
	c := cell{text: rate(f)}
	if b, ok := known(base); ok && b > 0 {
		c.relative = factor(f/b) + "x"
	}
	return c
}

// sizeCell relates by difference where the zero means nothing (headroom), else by factor.
func sizeCell(n, base *int64, difference bool) cell {
	if n == nil {
		return cell{text: none}
	}
	c := cell{text: size(*n)}
	switch {
	case base == nil:
	case difference:
		c.relative = signed(*n - *base)
	case *base > 0:
		c.relative = factor(float64(*n)/float64(*base)) + "x"
	}
	return c
}

// signed writes a difference of sizes.
func signed(n int64) string {
	switch {
	case n > 0:
		return "+" + size(n)
	case n == 0:
		return "same"
	}
	return size(n)
}

func timeCell(of func(*Run) *Times, value func(*Times) float64) func(r, base *Run) cell {
	return func(r, base *Run) cell {
		t := of(r)
		if t == nil || !finite(value(t)) {
			return cell{text: none}
		}
		c := cell{text: micros(value(t))}
		if base == nil {
			return c
		}
		if b := of(base); b != nil && value(b) > 0 && finite(value(b)) {
			c.relative = factor(math.Max(value(t), 0)/value(b)) + "x"
		}
		return c
	}
}

func waitedCell(r *Run) cell {
	if !guarded(r) || r.Budget == nil || !finite(r.Budget.ThrottledSeconds) {
		return cell{text: none}
	}
	return cell{text: seconds(r.Budget.ThrottledSeconds)}
}

// What follows reads one figure of a run, which may be nil.

func framesDelivered(r *Run) *int64 {
	if r == nil || r.Frames == nil {
		return nil
	}
	return &r.Frames.Delivered
}

func fpsOf(r *Run) *float64 {
	if r == nil {
		return nil
	}
	return r.FPS
}

func transferOf(r *Run) *float64 {
	if r == nil {
		return nil
	}
	return r.TransferFPS
}

// rings are the directions that had memory.
func rings(r *Run) (out []*Ring) {
	for _, g := range []*Ring{r.HostMemory.Upload, r.HostMemory.Download} {
		if g != nil {
			out = append(out, g)
		}
	}
	return out
}

func allocs(r *Run) *int64     { return sum(r, func(g *Ring) int64 { return g.Allocs }) }
func pinnedPeak(r *Run) *int64 { return sum(r, func(g *Ring) int64 { return g.PinnedPeakBytes }) }

// sum adds up the directions; nil when there is none.
func sum(r *Run, value func(*Ring) int64) *int64 {
	if r == nil || len(rings(r)) == 0 {
		return nil
	}
	var n int64
	for _, g := range rings(r) {
		n += value(g)
	}
	return &n
}

func allocTimes(r *Run) *Times {
	if g := busier(r); g != nil {
		return g.AllocMicros
	}
	return nil
}

func freeTimes(r *Run) *Times {
	if g := busier(r); g != nil {
		return g.FreeMicros
	}
	return nil
}

func headroom(r *Run) *int64 {
	if r == nil {
		return nil
	}
	if n, ok := leastHeadroom(r); ok {
		return &n
	}
	return nil
}

func deviceAlloc(r *Run) *int64 {
	if r == nil {
		return nil
	}
	return r.LargestDeviceAllocBytes
}
