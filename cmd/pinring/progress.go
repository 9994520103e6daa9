package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// counters are what the progress line shows.
type counters struct {
	Frames      int64 // delivered
	InFlight    int
	PinnedBytes int64
}

// progress draws one line that renews itself. update may be called for each frame, from any
// goroutine: it stores three numbers.
type progress struct {
	began    time.Time
	frames   atomic.Int64
	inFlight atomic.Int64
	pinned   atomic.Int64
	guard    func() string // nil, or the guard's state in a few words; asked when the line is drawn
	draw     *mpb.Progress
	bar      *mpb.Bar
	talk     *talk
	before   io.Writer
}

const progressInterval = 200 * time.Millisecond

// newProgress starts the line when w is a terminal; otherwise it returns nil, on which all methods
// do nothing.
func newProgress(w io.Writer, t *talk, guard func() string) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return startProgress(t, guard, mpb.WithOutput(w), mpb.WithRefreshRate(progressInterval))
}

func startProgress(t *talk, guard func() string, options ...mpb.ContainerOption) *progress {
	p := &progress{began: time.Now(), talk: t, guard: guard, draw: mpb.New(options...)}
	p.bar = p.draw.New(0, mpb.NopStyle(), mpb.BarFillerTrim(),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.line(time.Now()) })))
	p.before = t.redirect(p.draw) // lines of talk go above the progress line
	return p
}

func (p *progress) update(c counters) {
	if p == nil {
		return
	}
	p.frames.Store(c.Frames)
	p.inFlight.Store(int64(c.InFlight))
	p.pinned.Store(c.PinnedBytes)
}

func (p *progress) line(now time.Time) string {
	n := p.frames.Load()
	fps := float64(n) / max(now.Sub(p.began).Seconds(), 1e-3)
	s := fmt.Sprintf("pinring: %s frames, %.0f fps, %d in flight, %s pinned",
		humanize.Comma(n), fps, p.inFlight.Load(), humanize.IBytes(uint64(max(p.pinned.Load(), 0))))
	if p.guard != nil {
		if g := p.guard(); g != "" {
			s += ", " + g
		}
	}
	return s
}

// stop takes the line away and gives the terminal back.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.talk.redirect(p.before)
	p.bar.Abort(true)
	p.draw.Wait()
}
