package gputest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/gpu"
)

// span is when one step of one frame was at work, since the first of all.
type span struct {
	frame    int
	step     string
	from, to time.Duration
}

func (s span) overlaps(o span) bool { return s.frame != o.frame && s.from < o.to && o.from < s.to }

// timed is a step's span as events.
type timed struct{ from, to gpu.Event }

const (
	timelineFrames = 6
	timelineBytes  = 32 << 20 // of each frame, up and down
)

// Timeline shows that copies up, kernels and copies down of different frames are at work at the
// same time: it times each with events, prints them, and looks for spans that intersect. Each kind
// of step has a stream of its own, so that a span begins when its predecessor on the same engine
// has ended. Devices without copy engines are skipped.
func Timeline(t *testing.T, open Open, module gpu.Module) {
	withRig(t, open, module, func(r *rig) {
		if r.dev.Info().AsyncEngines < 2 {
			t.Skipf("%s has %d copy engines: copies both ways cannot overlap", r.dev.Info().Name, r.dev.Info().AsyncEngines)
		}
		r.timedFrames() // the first time pays for loading and touching
		spans := r.timedFrames()
		t.Logf("%s\n%s", r.dev.Info().Name, drawing(spans))
		for _, pair := range [][2]string{{"h2d", "kernel"}, {"kernel", "d2h"}, {"h2d", "d2h"}} {
			if !anyOverlap(spans, pair[0], pair[1]) {
				t.Errorf("no %s was at work while a %s of another frame was", pair[0], pair[1])
			}
		}
	})
}

func anyOverlap(spans []span, a, b string) bool {
	for _, s := range spans {
		for _, o := range spans {
			if s.step == a && o.step == b && s.overlaps(o) {
				return true
			}
		}
	}
	return false
}

// timedFrames sends the frames through three streams and returns when each step ran.
func (r *rig) timedFrames() []span {
	up, work, down := r.newStream(), r.newStream(), r.newStream()
	k := r.kernel("churn")
	start := r.newEvent(true)
	// Page-locking takes longer than a frame's whole journey, so all of it comes first.
	var memory [timelineFrames]pair
	for f := range memory {
		memory[f] = r.temporary(timelineBytes)
		r.undo = append(r.undo, memory[f].host.Free, memory[f].dev.Free)
	}
	var first gpu.Commands
	first.Record(start)
	r.ok("submit", up.Submit(&first))
	var steps [timelineFrames][3]timed
	for f, b := range memory {
		steps[f] = r.timedFrame(b, k, up, work, down)
	}
	for _, s := range []gpu.Stream{up, work, down} {
		r.ok("synchronize", s.Synchronize())
	}
	var spans []span
	for f, step := range steps {
		for i, name := range []string{"h2d", "kernel", "d2h"} {
			from, err := step[i].from.Since(start)
			r.ok("Since", err)
			to, err := step[i].to.Since(start)
			r.ok("Since", err)
			spans = append(spans, span{f, name, from, to})
		}
	}
	return spans
}

// timedFrame submits one frame, each step on its stream between two timing events.
func (r *rig) timedFrame(b pair, k gpu.Kernel, up, work, down gpu.Stream) (steps [3]timed) {
	const cols = 4096
	const rows = timelineBytes / 4 / cols
	for i := range steps {
		steps[i] = timed{r.newEvent(true), r.newEvent(true)}
	}
	submit := func(s gpu.Stream, i int, record func(c *gpu.Commands)) {
		c := &gpu.Commands{}
		if i > 0 {
			c.Wait(steps[i-1].to)
		}
		c.Record(steps[i].from)
		record(c)
		c.Record(steps[i].to)
		r.ok("submit", s.Submit(c))
	}
	submit(up, 0, b.up)
	submit(work, 1, func(c *gpu.Commands) {
		c.Launch(k, cols, rows, uint64(b.dev.Addr()), cols*4, 0, 0, cols, rows, 500)
	})
	submit(down, 2, b.down)
	return steps
}

// drawing is the timeline as text, 100 columns wide.
func drawing(spans []span) string {
	var end time.Duration
	for _, s := range spans {
		end = max(end, s.to)
	}
	var b strings.Builder
	for _, s := range spans {
		from := int(100 * s.from / end)
		width := max(1, int(100*s.to/end)-from)
		fmt.Fprintf(&b, "frame %d %-6s %8.3f to %8.3f ms  |%s%s\n", s.frame, s.step, milliseconds(s.from), milliseconds(s.to),
			strings.Repeat(" ", from), strings.Repeat("#", width))
	}
	return b.String()
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
