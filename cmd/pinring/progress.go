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
	heading  func() string // nil, or what the line begins with
	parent   *progress     // counts what this one does; this one draws nothing
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
	p.set(&p.frames, func(q *progress) *atomic.Int64 { return &q.frames }, c.Frames)
	p.set(&p.inFlight, func(q *progress) *atomic.Int64 { return &q.inFlight }, int64(c.InFlight))
	p.set(&p.pinned, func(q *progress) *atomic.Int64 { return &q.pinned }, c.PinnedBytes)
}

// set stores a number, and adds the change to the parent's.
func (p *progress) set(own *atomic.Int64, of func(*progress) *atomic.Int64, n int64) {
	old := own.Swap(n)
	if p.parent != nil {
		of(p.parent).Add(n - old)
	}
}

// child is the progress of one input of several, which the line shows as one sum.
func (p *progress) child() *progress { return &progress{parent: p} }

func (p *progress) line(now time.Time) string {
	n := p.frames.Load()
	fps := float64(n) / max(now.Sub(p.began).Seconds(), 1e-3)
	s := "pinring: "
	if p.heading != nil {
		s += p.heading() + ", "
	}
	s += fmt.Sprintf("%s frames, %.0f fps, %d in flight, %s pinned",
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
	if p.parent != nil { // its frames stay counted
		p.update(counters{Frames: p.frames.Load()})
		return
	}
	p.talk.redirect(p.before)
	p.bar.Abort(true)
	p.draw.Wait()
}
