//go:build linux && cgo

package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// comes makes a card that the run goes over to at the first chance after n frames are delivered; -1: before all.
func comes(t *testing.T, card gpu.Device, snk *sink, n int64, staged *int64) func(*pipeline.Params, *context.Context) {
	t.Helper()
	program, err := card.Load(kernels.Module())
	if err != nil {
		t.Fatal(err)
	}
	st := transfer.New(card, transfer.Params{InFlight: 3, Poison: true})
	t.Cleanup(func() {
		if err := errors.Join(st.Close(), program.Close(), card.Close()); err != nil {
			t.Errorf("the card: %v", err)
		}
	})
	next := make(chan pipeline.Base, 1)
	give := func() {
		next <- pipeline.Base{Device: card, Staging: st, Program: program, Staged: func(int64) { *staged++ }}
	}
	if n < 0 {
		give()
	} else {
		snk.hook = func(f *frame.Frame) {
			if f.Index == n {
				give()
			}
		}
	}
	return func(p *pipeline.Params, _ *context.Context) { p.Next = next }
}

// discrete is a card that the host plays.
func discrete(t *testing.T, f gpu.Faults) gpu.Device {
	t.Helper()
	d, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return gpu.NewFailNth(gpu.Discrete(d), f)
}

// TestGoesOver: wherever the card comes, the frames are the same, and each is processed once.
func TestGoesOver(t *testing.T) {
	for _, chain := range []string{"negate", "scale=40:24,unsharp,negate", ""} {
		want := &sink{}
		if _, err := run(t, open(t), frametest.NewSource(t, small, 40), want, chain, nil); err != nil {
			t.Fatal(err)
		}
		for _, at := range []int64{-1, 0, 1, 17, 36, 39} {
			t.Run(fmt.Sprintf("%s/%d", chain, at), func(t *testing.T) {
				var staged int64
				snk := &sink{held: 2}
				res, err := run(t, open(t), frametest.NewSource(t, small, 40), snk, chain, comes(t, discrete(t, gpu.Faults{}), snk, at, &staged))
				if err != nil {
					t.Fatal(err)
				}
				equalSums(t, snk.sums, want.sums)
				if at < 36 && (!res.Moved || res.Before+staged != 40 || res.Before < at+1) {
					t.Errorf("moved %v, %d frames before and %d after", res.Moved, res.Before, staged)
				}
				if b := res.BusyBefore; at >= 0 && at < 36 && chain != "" && (b.Kernels <= 0 || b.Kernels > res.Busy.Kernels || b.Decode != 0) {
					t.Errorf("busy before %+v, in all %+v", b, res.Busy)
				}
				if at < 0 && res.Before != 0 {
					t.Errorf("%d frames before a card that was there", res.Before)
				}
			})
		}
	}
}

// TestGoesOverToABrokenCard: what fails there ends the run as it does elsewhere, with all frames released.
func TestGoesOverToABrokenCard(t *testing.T) {
	for name, f := range map[string]gpu.Faults{"memory": {Alloc: 2}, "ring": {AllocHost: 2}, "launch": {Launch: 9}, "copy": {Copy: 5}} {
		t.Run(name, func(t *testing.T) {
			var staged int64
			snk := &sink{}
			_, err := run(t, open(t), frametest.NewSource(t, small, 40), snk, "negate", comes(t, discrete(t, f), snk, 7, &staged))
			if err == nil || len(snk.sums) < 8 || len(snk.sums) == 40 {
				t.Errorf("%v, %d frames", err, len(snk.sums))
			}
		})
	}
}
