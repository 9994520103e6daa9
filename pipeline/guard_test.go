//go:build linux && cgo

package pipeline_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// guardedRun sends n frames of churn over an emulated card whose headroom holds 100 of them, at 30
// frames per second with 10 s to reclaim, so that it would run out at frame 100.
func guardedRun(t *testing.T, n int64, snk *sink, cfg func(*budget.Config), change func(*wddm.Params)) (*pipeline.Result, *transfer.Staging, *budget.Guard, error) {
	t.Helper()
	const frameBytes = 64*35*2 + 64*18*2 // of small, rows rounded to 64 bytes
	params, err := wddm.Lookup("article-video")
	if err != nil {
		t.Fatal(err)
	}
	params.Headroom, params.ChargeSmall, params.ChargeLarge = 100*frameBytes, 1, 1
	if change != nil {
		change(&params)
	}
	card, err := wddm.Emulate(gpu.Discrete(open(t)), params, wddm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	panel := budget.NewPanel()
	panel.Attach(card, 0)
	c := budget.DefaultConfig()
	c.MaxInFlight = 64
	marks := budget.Marks{Soft: budget.Mark{Bytes: 30 * frameBytes}, Hard: budget.Mark{Bytes: 4 * frameBytes}}
	for d := range c.Marks {
		c.Marks[d] = marks
	}
	cfg(&c)
	guard, err := budget.NewGuard(c, panel, card, nil)
	if err != nil {
		t.Fatal(err)
	}
	src := frametest.NewSource(t, small, n)
	var staging *transfer.Staging
	res, err := run(t, card, src, snk, "negate", func(p *pipeline.Params, _ *context.Context) {
		_ = p.Staging.Close()
		p.Staging = transfer.New(card, transfer.Params{InFlight: p.InFlight, Eager: true, Up: transfer.Mode{PerFrame: true}, Poison: true})
		p.Guard, staging = guard, p.Staging
		p.Ready = func(in frame.Info) { card.Start(30, 1) }
	})
	return res, staging, guard, err
}

func TestWithoutGuardTheCardRunsOut(t *testing.T) {
	snk := &sink{}
	res, _, _, err := guardedRun(t, 400, snk, func(c *budget.Config) { c.Mode = budget.Off }, nil)
	var se *pipeline.StageError
	if !errors.Is(err, gpu.ErrOutOfMemory) || !errors.As(err, &se) || se.Frame != 100 || snk.partial {
		t.Errorf("%+v, %v; want out of memory at frame 100", res.Counters, err)
	}
}

func TestGuardThatWaitsFinishes(t *testing.T) {
	snk := &sink{}
	res, st, g, err := guardedRun(t, 400, snk, func(*budget.Config) {}, nil)
	if err != nil || res.Delivered != 400 || st.Degraded() != 0 {
		t.Fatalf("%+v, %v", res.Counters, err)
	}
	equalSums(t, snk.sums, sums(t, small, 400, invert))
	if s := g.Summary(); s.Throttled < 20*time.Second || s.Limiting.Headroom < 0 {
		t.Errorf("throttled %v, least headroom %d", s.Throttled, s.Limiting.Headroom)
	}
}

// Fail ends the run where waiting would begin; what was done until then is finished, as a part.
func TestGuardThatFailsLeavesAPart(t *testing.T) {
	snk := &sink{}
	never := func(p *wddm.Params) { p.Reclaim = time.Hour } // so that no wait helps
	res, _, _, err := guardedRun(t, 400, snk, func(c *budget.Config) { c.Policy = budget.Fail }, never)
	var se *pipeline.StageError
	if !errors.Is(err, budget.ErrExhausted) || !errors.As(err, &se) || se.Stage != "budget" {
		t.Errorf("error %v", err)
	}
	if !snk.partial || !snk.finished || res.Delivered < 50 || res.Delivered > 99 {
		t.Errorf("partial %v, finished %v, %+v", snk.partial, snk.finished, res.Counters)
	}
	equalSums(t, snk.sums, sums(t, small, len(snk.sums), invert))
}

// Degrade goes on in pageable memory, which the card is not charged for.
func TestGuardThatDegradesFinishesInPageableMemory(t *testing.T) {
	snk := &sink{}
	never := func(p *wddm.Params) { p.Reclaim = time.Hour }
	res, st, _, err := guardedRun(t, 400, snk, func(c *budget.Config) { c.Policy = budget.Degrade }, never)
	if err != nil || res.Delivered != 400 || snk.partial {
		t.Fatalf("%+v, %v", res.Counters, err)
	}
	if n := st.Degraded(); n < 300 || n > 350 {
		t.Errorf("%d frames were staged in pageable memory", n)
	}
	equalSums(t, snk.sums, sums(t, small, 400, invert))
}

// Pressure from outside in the middle of the run: the guard holds while it lasts, and goes on.
func TestOutsidePressure(t *testing.T) {
	snk := &sink{}
	pressed := func(p *wddm.Params) {
		p.Pressure = []wddm.Pressure{{Bytes: p.Headroom, At: time.Second, For: 20 * time.Second}}
	}
	res, _, g, err := guardedRun(t, 100, snk, func(*budget.Config) {}, pressed)
	if err != nil || res.Delivered != 100 {
		t.Fatalf("%+v, %v", res.Counters, err)
	}
	held := false
	for _, tr := range g.Summary().Transitions {
		held = held || tr.To == budget.Hold
	}
	if s := g.Summary(); !held || s.Throttled < 15*time.Second {
		t.Errorf("held %v, delayed %v through 20 s of pressure", held, s.Throttled)
	}
}
