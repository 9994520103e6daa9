//go:build linux && cgo

package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// Several runs at once share a device, the kernels on it and a guard. One breaks off in the middle,
// its frames still inside; the others get all their frames, each its own.
func TestRunsShareDeviceKernelsAndGuard(t *testing.T) {
	params, err := wddm.Lookup("article-video")
	if err != nil {
		t.Fatal(err)
	}
	// Room for 60 frames, which come back so soon that the guard never has to give up.
	const frameBytes = 64*35*2 + 64*18*2
	params.Headroom, params.ChargeSmall, params.ChargeLarge = 60*frameBytes, 1, 1
	params.Clock, params.Reclaim = wddm.WallClock, 20*time.Millisecond
	card, err := wddm.Emulate(gpu.Discrete(open(t)), params, wddm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	program, err := card.Load(kernels.Module())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := program.Close(); err != nil {
			t.Errorf("the kernels are still used: %v", err)
		}
	}()
	panel := budget.NewPanel()
	panel.Attach(card, 0)
	c := budget.DefaultConfig()
	c.MaxInFlight = 64
	for d := range c.Marks {
		c.Marks[d] = budget.Marks{Soft: budget.Mark{Bytes: 20 * frameBytes}, Hard: budget.Mark{Bytes: 4 * frameBytes}}
	}
	guard, err := budget.NewGuard(c, panel, card, nil)
	if err != nil {
		t.Fatal(err)
	}

	const runs, frames, broken = 4, 150, 2
	var doors [runs]*budget.Door
	var all, ready sync.WaitGroup
	ready.Add(runs)
	for i := range runs {
		doors[i] = guard.Door()
		all.Go(func() {
			snk := &sink{}
			if i == broken {
				snk.failAt = 40
			}
			src := frametest.NewSource(t, small, frames)
			res, err := run(t, card, src, snk, "negate", func(p *pipeline.Params, _ *context.Context) {
				_ = p.Staging.Close()
				p.Staging = transfer.New(card, transfer.Params{InFlight: p.InFlight, Eager: true, Up: transfer.Mode{PerFrame: true}, Poison: true})
				p.Guard, p.Program = doors[i], func() (gpu.Program, error) { return program, nil }
				p.Ready = func(frame.Info) { // the headroom counts from when all have their rings
					ready.Done()
					ready.Wait()
					card.Start(30, 1)
				}
			})
			doors[i].Close()
			switch {
			case i == broken && !errors.Is(err, errSink):
				t.Errorf("the broken run: %v", err)
			case i != broken && (err != nil || res.Delivered != frames):
				t.Errorf("run %d: %+v, %v", i, res.Counters, err)
			case i != broken:
				equalSums(t, snk.sums, sums(t, small, frames, invert))
			}
		})
	}
	all.Wait()
	var admitted int64
	for i, d := range doors {
		s := d.Summary()
		admitted += s.Frames
		if i != broken && s.Frames != frames {
			t.Errorf("run %d: %d frames at its door", i, s.Frames)
		}
	}
	s := guard.Summary()
	if _, inside, _, _ := guard.Live(); inside != 0 || s.Frames != admitted || s.Limiting.Headroom < 0 {
		t.Error(fmt.Sprint(inside, " frames inside, ", s.Frames, " of ", admitted, " admitted, least headroom ", s.Limiting.Headroom))
	}
}
