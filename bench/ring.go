package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// Ring is the speed of the ring's path: pictures that lie in lent slots, up, through a chain, down,
// and dropped; the same through churn in both directions; and the same work in a bare loop.
type Ring struct {
	Chain             string
	Format            frame.PixelFormat
	Width, Height     int
	UpBytes           int // copied up per picture
	DownBytes         int // copied down
	InFlight          int
	FPS, Bare, Churn  float64 // medians; Bare is 0 where the device has no bare loop
	Frames            int     // of each round of the ring
	Shares, OverChurn Spread  // FPS ÷ Bare and FPS ÷ Churn, of the pairs
}

// Spread is what the pairs of a comparison gave.
type Spread struct{ Least, Median, Most float64 }

// RingParams say what to measure. Zero values are the figure's usual case: 1080p yuv420p to rgb24.
type RingParams struct {
	Chain    string // default format=rgb24
	Info     frame.Info
	InFlight int
	Frames   int // of a round; default 4,000
	Churned  int // of a round of churn; default a tenth of Frames
	Rounds   int // default 5
}

func (p *RingParams) withDefaults() {
	if p.Chain == "" {
		p.Chain = "format=rgb24"
	}
	if p.Info.Format == "" {
		p.Info = frame.Info{Format: frame.YUV420P, Width: 1920, Height: 1080}
	}
	if p.InFlight <= 0 {
		p.InFlight = 8
	}
	if p.Frames <= 0 {
		p.Frames = 4000
	}
	if p.Churned <= 0 {
		p.Churned = max(p.Frames/10, 100)
	}
	if p.Rounds <= 0 {
		p.Rounds = 5
	}
}

// MeasureRing takes turns: ring, bare loop, churn, and again.
func MeasureRing(ctx context.Context, dev gpu.Device, p RingParams) (r Ring, err error) {
	p.withDefaults()
	if dev.Info().Unified {
		return r, ErrUnified
	}
	chain, err := kernels.Parse(p.Chain)
	if err != nil {
		return r, err
	}
	plan, err := chain.Plan(p.Info, "")
	if err != nil {
		return r, err
	}
	src, err := frame.NewLayout(p.Info.Format, p.Info.Width, p.Info.Height, kernels.RowAlign)
	if err != nil {
		return r, err
	}
	r = Ring{Chain: p.Chain, Format: p.Info.Format, Width: p.Info.Width, Height: p.Info.Height,
		UpBytes: src.Size, DownBytes: plan.OutLayout.Size, InFlight: p.InFlight, Frames: p.Frames}
	loop, free, err := bareLoop(dev, plan, src, p.InFlight)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, free()) }()
	return r, r.turns(ctx, dev, chain, src, p, loop)
}

// bareLoop makes the bare loop where the device has one, else nil.
func bareLoop(dev gpu.Device, plan *kernels.Plan, src frame.Layout, slots int) (*bare, func() error, error) {
	l, ok := dev.(looper)
	if !ok {
		return nil, func() error { return nil }, nil
	}
	prog, err := dev.Load(kernels.Module())
	if err != nil {
		return nil, nil, err
	}
	b, err := newBare(dev, l, plan, prog, src, slots)
	if err != nil {
		return nil, nil, errors.Join(err, prog.Close())
	}
	return b, func() error { b.free(); return errors.Join(b.err, prog.Close()) }, nil
}

// turns runs the rounds and keeps the medians.
func (r *Ring) turns(ctx context.Context, dev gpu.Device, chain kernels.Chain, src frame.Layout, p RingParams, loop *bare) error {
	var fps, bare, churn, share, over []float64
	for range p.Rounds {
		f, err := path(ctx, dev, chain, src, p, transfer.Mode{}, p.Frames)
		if err != nil {
			return fmt.Errorf("ring: %w", err)
		}
		c, err := path(ctx, dev, chain, src, p, transfer.Mode{PerFrame: true}, p.Churned)
		if err != nil {
			return fmt.Errorf("churn: %w", err)
		}
		fps, churn, over = append(fps, f), append(churn, c), append(over, f/c)
		if loop == nil {
			continue
		}
		b, err := loop.run(ctx, p.Frames)
		if err != nil {
			return fmt.Errorf("bare loop: %w", err)
		}
		bare, share = append(bare, b), append(share, f/b)
	}
	r.FPS, r.Bare, r.Churn = median(fps), median(bare), median(churn)
	r.Shares, r.OverChurn = spread(share), spread(over)
	return nil
}

// path is one round through the pipeline: frames per second of n frames, those of the set-up left out.
func path(ctx context.Context, dev gpu.Device, chain kernels.Chain, l frame.Layout, p RingParams, mode transfer.Mode, n int) (fps float64, err error) {
	st := transfer.New(dev, transfer.Params{Up: mode, Down: mode, InFlight: p.InFlight, Eager: true})
	src, err := newStill(st, l, p.Info, p.InFlight+2, warmUp+n)
	if err != nil {
		return 0, errors.Join(err, st.Close())
	}
	sink := &drain{}
	_, err = pipeline.Run(ctx, pipeline.Params{Source: src, Sink: sink, Device: dev, Staging: st, Chain: chain, InFlight: p.InFlight})
	src.close()
	if err = errors.Join(err, st.Close()); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return float64(sink.n-warmUp) / sink.last.Sub(sink.first).Seconds(), nil
}

// warmUp is how many frames go by before the clock starts.
const warmUp = 64

// drain is a sink that drops pictures and notes when.
type drain struct {
	n           int
	first, last time.Time
}

func (d *drain) Format(f frame.PixelFormat) frame.PixelFormat { return f }
func (d *drain) FollowsSize() bool                            { return true }
func (d *drain) MaxHeld() int                                 { return 0 }
func (d *drain) Partial()                                     {}
func (d *drain) Finish(context.Context) error                 { return nil }

func (d *drain) Write(_ context.Context, f *frame.Frame) error {
	f.Release()
	d.n++
	d.last = time.Now()
	if d.n <= warmUp {
		d.first = d.last
	}
	return nil
}
