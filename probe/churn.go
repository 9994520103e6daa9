package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/internal/stopwatch"
)

// FrameBytes is a picture of 1920 × 1080 pixels of 3 bytes.
const FrameBytes = 1920 * 1080 * 3

// ChurnOptions say what churn does. The zero value of a field is its default.
type ChurnOptions struct {
	Bytes  int   // of a buffer; FrameBytes
	Frames int64 // 300
	Rate   int   // frames per second; 30
	// Reuse takes from three buffers that are allocated once, for comparison.
	Reuse bool
}

func (o ChurnOptions) filled() ChurnOptions {
	if o.Bytes == 0 {
		o.Bytes = FrameBytes
	}
	if o.Frames == 0 {
		o.Frames = 300
	}
	if o.Rate == 0 {
		o.Rate = 30
	}
	return o
}

// Point is one frame of a curve.
type Point struct {
	Frame         int64
	At            time.Duration // since the first frame
	Usage, Budget int64
}

// Line is what one meter said of one domain, frame by frame.
type Line struct {
	Source, Twin string
	Domain       budget.Domain
	Emulated     bool
	Points       []Point
}

// Churn is what became of it.
type Churn struct {
	ChurnOptions
	Done     int64 // frames that got their buffer
	FailedAt int64 // the frame that did not; -1: all did
	Err      error // why
	// Allocs and Frees are how long the calls took in real time, sorted; empty where nothing is
	// behind the memory.
	Allocs, Frees []time.Duration
	Lines         []Line
	// Traces compare usage before the first frame (Before), after the last (Held) and after the
	// watch for the return.
	Traces []Trace
}

// ringOf is how many buffers are reused.
const ringOf = 3

// Churn allocates and frees a pinned buffer for each frame at a rate, or reuses three, and then
// watches for the memory to come back. That it runs out of memory is a result. On error, what it has
// is returned as well. Where the buffers would take more than a third of the host memory that is free, it does
// nothing, and returns nil.
func (r *Rig) Churn(ctx context.Context, o ChurnOptions) (*Churn, error) {
	o = o.filled()
	if free, known := r.freeRAM(); known && ringOf*int64(o.Bytes) > free/3 {
		r.say(fmt.Sprintf("frames of %s are left out: %d buffers are more than a third of the host's free memory, %s",
			budget.FormatBytes(int64(o.Bytes)), ringOf, budget.FormatBytes(free)))
		return nil, nil
	}
	r.say(fmt.Sprintf("%s with %s", counted(int(o.Frames), "frame"), map[bool]string{true: "three buffers that are reused", false: "a buffer of their own each"}[o.Reuse]))
	c := &Churn{ChurnOptions: o, FailedAt: -1, Traces: begin(r.Read())}
	freed, err := r.frames(ctx, c)
	slices.Sort(c.Allocs)
	slices.Sort(c.Frees)
	if err != nil {
		return c, err
	}
	return c, r.await(ctx, c.Traces, int64(o.Bytes), freed)
}

// frames runs the frames of churn, ring and all. freed is the clock when nothing was held any more.
func (r *Rig) frames(ctx context.Context, c *Churn) (freed time.Duration, err error) {
	var ring []gpu.HostBuffer
	defer func() {
		for _, b := range ring {
			b.Free()
		}
		freed = r.Clock.Now()
		follow(c.Traces, r.Read(), func(t *Trace, usage int64) { t.Freed = usage })
	}()
	for c.Reuse && len(ring) < ringOf {
		b, err := r.Device.AllocHost(c.Bytes, gpu.Pinned)
		if err != nil {
			return 0, c.failed(err)
		}
		r.touch(b)
		ring = append(ring, b)
	}
	var start time.Duration
	for n := range c.Frames {
		if err := r.admit(ctx, n, c.Rate, &start); err != nil {
			return 0, err
		}
		if err := r.frame(c, start); err != nil || c.Err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// admit waits for the time of frame n. A virtual clock goes there by itself.
func (r *Rig) admit(ctx context.Context, n int64, rate int, start *time.Duration) error {
	if err := r.Clock.Begin(ctx, r.begun); err != nil {
		return context.Cause(ctx)
	}
	r.begun++
	if n == 0 {
		*start = r.Clock.Now()
	}
	due := *start + time.Duration(n)*time.Second/time.Duration(rate)
	if late := due - r.Clock.Now(); late > 0 && !r.virtual() {
		return r.wait(ctx, late)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// frame allocates a buffer, reads the meters, and frees it.
func (r *Rig) frame(c *Churn, start time.Duration) error {
	defer r.Clock.End(r.begun - 1)
	if c.Reuse {
		c.sample(r.Read(), start)
		c.Done++
		return nil
	}
	began := stopwatch.Now()
	b, err := r.Device.AllocHost(c.Bytes, gpu.Pinned)
	if err != nil {
		c.sample(r.Read(), start)
		return c.failed(err)
	}
	if d := r.took(began); d > 0 {
		c.Allocs = append(c.Allocs, d)
	}
	r.touch(b)
	c.sample(r.Read(), start)
	began = stopwatch.Now()
	if err := b.Free(); err != nil {
		return err
	}
	if d := r.took(began); d > 0 {
		c.Frees = append(c.Frees, d)
	}
	c.Done++
	return nil
}

// failed makes a refusal a result.
func (c *Churn) failed(err error) error {
	if !errors.Is(err, gpu.ErrOutOfMemory) {
		return err
	}
	c.FailedAt, c.Err = c.Done, err
	return nil
}

// sample adds a point to each line.
func (c *Churn) sample(readings []budget.Reading, start time.Duration) {
	for _, x := range readings {
		l := c.line(x)
		l.Points = append(l.Points, Point{Frame: c.Done, At: x.At - start, Usage: x.Usage, Budget: x.Budget})
	}
	follow(c.Traces, readings, func(t *Trace, usage int64) { t.Held = max(t.Held, usage) })
}

func (c *Churn) line(x budget.Reading) *Line {
	for i := range c.Lines {
		if l := &c.Lines[i]; l.Source == x.Source && l.Domain == x.Domain {
			return l
		}
	}
	c.Lines = append(c.Lines, Line{Source: x.Source, Twin: x.Twin, Domain: x.Domain, Emulated: x.Emulated})
	return &c.Lines[len(c.Lines)-1]
}

// Slope is by how many bytes usage grows with each frame: the straight line that fits the points best
// (least squares). It is 0 with fewer than two points.
func Slope(points []Point) (bytesPerFrame float64) {
	if len(points) < 2 {
		return 0
	}
	n := float64(len(points))
	var mx, my float64
	for _, p := range points {
		mx += float64(p.Frame) / n
		my += float64(p.Usage) / n
	}
	var xy, xx float64
	for _, p := range points {
		dx := float64(p.Frame) - mx
		xy += dx * (float64(p.Usage) - my)
		xx += dx * dx
	}
	if xx == 0 {
		return 0
	}
	return xy / xx
}
