package main

import (
	"runtime"
	"time"

	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
)

func cores() int { return runtime.GOMAXPROCS(0) }

func describeInput(in decode.Input) *report.Input {
	out := &report.Input{
		Path: in.Path, Container: in.Format, Stream: in.Video.Index, Codec: in.Video.Codec,
		PixelFormat: string(in.Info.Format), Width: in.Info.Width, Height: in.Info.Height,
	}
	if in.Info.FrameRate.Valid() {
		rate := in.Info.FrameRate.Float()
		out.FrameRate = &rate
	}
	return out
}

// tell writes into the report what the run did, before the slots are freed.
func (w *way) tell(res *pipeline.Result) {
	r, d := w.j.report, w.source.Stats()
	if res.Chain != "" {
		r.Chain = res.Chain
	}
	r.Frames = tellFrames(res, d)
	r.Frames.Degraded, r.Frames.CopiedToSlot = w.staging.Degraded(), w.staging.Copied()
	r.Frames.BandedUp, r.Frames.BandedDown = w.staging.Banded()
	seconds := res.Seconds
	r.Seconds = &seconds
	if seconds > 0 {
		fps := float64(res.Delivered) / seconds
		r.FPS = &fps
	}
	if d := w.transferTime(res); d > 0 && !w.dev.Info().Unified { // nothing is transferred where all memory is one
		fps := float64(res.Delivered) / d.Seconds()
		r.TransferFPS = &fps
	}
	r.InFlightMax = &res.InFlightMax
	r.Stages = tally.Stages(res.Busy)
	w.account.Tell(r)
	written := w.sink.Stats()
	if n := written.Images; n > 0 {
		r.Images = &n
	}
	r.DamagedPackets = &written.Damaged
	if part := w.sink.Part(); part != "" {
		r.Partial = &part
		w.note("what was done until then is in " + part)
	}
	upSlots, downSlots := w.staging.Stats()
	r.HostMemory = report.HostMemory{Upload: tally.Ring(upSlots), Download: tally.Ring(downSlots)}
}

// transferTime is how long the transfer path was busy with frames.
func (w *way) transferTime(res *pipeline.Result) time.Duration {
	up, down := directions(w.j.Staging)
	return tally.TransferTime(res, w.staging, up, down)
}
