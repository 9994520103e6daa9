//go:build linux && cgo

package pipeline_test

import (
	"errors"
	"io"
	"testing"

	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

func TestCycleRepeatsAFewFrames(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		src, snk := frametest.NewSource(t, small, 5), &sink{}
		c, err := pipeline.NewCycle(t.Context(), src, 16, 23)
		if err != nil {
			t.Fatal(err)
		}
		st := transfer.New(dev, transfer.Params{InFlight: 3})
		res, err := pipeline.Run(t.Context(), pipeline.Params{Source: c, Sink: snk, Device: dev, Staging: st, Chain: parse(t, "negate"), InFlight: 3})
		if err != nil || res.Delivered != 23 {
			t.Fatalf("%+v, %v", res, err)
		}
		want := sums(t, small, 5, invert)
		for i, s := range snk.sums {
			if s != want[i%5] || snk.metas[i].PTS != 2*int64(i) || snk.metas[i].Index != int64(i) {
				t.Errorf("frame %d is not frame %d again, or has the wrong place: %+v", i, i%5, snk.metas[i])
			}
		}
		c.Close()
		if src.Outstanding() != 0 {
			t.Error("kept frames were not released")
		}
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestCycleOfNothing(t *testing.T) {
	if _, err := pipeline.NewCycle(t.Context(), frametest.NewSource(t, small, 0), 4, 10); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cycle without frames: %v", err)
	}
}
