package bench

import (
	"context"
	"fmt"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
)

// Chain is what a filter chain takes on the device for a picture that is there already.
type Chain struct {
	Chain         string
	Format        frame.PixelFormat
	Width, Height int
	Launches      int
	Bytes         int     // of source and result together
	Seconds       float64 // per picture, on the device's clock
}

// chainRounds are measured, each of chainRepeats pictures.
const chainRounds, chainRepeats = 5, 10

// MeasureChain runs the chain over one picture again and again, without copies.
func MeasureChain(ctx context.Context, dev gpu.Device, text string, in frame.Info) (Chain, error) {
	c := Chain{Chain: text, Format: in.Format, Width: in.Width, Height: in.Height}
	parsed, err := kernels.Parse(text)
	if err != nil {
		return c, err
	}
	plan, err := parsed.Plan(in, "")
	if err != nil {
		return c, err
	}
	src, err := frame.NewLayout(in.Format, in.Width, in.Height, kernels.RowAlign)
	if err != nil {
		return c, err
	}
	c.Launches, c.Bytes = plan.Launches(), src.Size+plan.OutLayout.Size
	var k kit
	defer k.free()
	prog := made(&k, func() (gpu.Program, error) { return dev.Load(kernels.Module()) }, gpu.Program.Close)
	if k.err != nil {
		return c, k.err
	}
	l, err := k.chain(dev, plan, prog, src)
	if err != nil {
		return c, fmt.Errorf("chain %s: %w", text, err)
	}
	c.Seconds, err = perPicture(ctx, l)
	return c, err
}

// chain is a lane whose list runs the plan chainRepeats times.
func (k *kit) chain(dev gpu.Device, plan *kernels.Plan, prog gpu.Program, src frame.Layout) (*lane, error) {
	bound, err := plan.Bind(prog)
	if err != nil {
		return nil, err
	}
	tables := k.tables(dev, plan.Tables)
	in, out := k.device(dev, src.Size), k.device(dev, plan.OutLayout.Size)
	var scratch []gpu.Addr
	for _, n := range plan.Scratch {
		if s := k.device(dev, n); s != nil {
			scratch = append(scratch, s.Addr())
		}
	}
	l := &lane{stream: k.stream(dev), begin: k.event(dev), end: k.event(dev)}
	if k.err != nil {
		return nil, k.err
	}
	l.cmds.Fill(in.Addr(), 0x55, src.Size)
	l.cmds.Record(l.begin)
	for range chainRepeats {
		bound.Record(&l.cmds, kernels.At(src, in.Addr()), kernels.At(plan.OutLayout, out.Addr()), scratch, tables)
	}
	l.cmds.Record(l.end)
	return l, nil
}

func perPicture(ctx context.Context, l *lane) (float64, error) {
	var rounds []float64
	for i := range chainRounds + 1 { // the first warms up
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		d, err := together([]*lane{l})
		if err != nil {
			return 0, err
		}
		if i > 0 {
			rounds = append(rounds, d.Seconds()/chainRepeats)
		}
	}
	return median(rounds), nil
}
