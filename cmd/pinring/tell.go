package main

import (
	"runtime"
	"time"

	"github.com/pinring/pinring/cmd/internal/purse"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
	"github.com/pinring/pinring/transfer"
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
	on := w.on(res)
	r.Frames.Degraded, r.Frames.CopiedToSlot = on.staging.Degraded(), on.staging.Copied()
	r.Frames.BandedUp, r.Frames.BandedDown = on.staging.Banded()
	seconds := res.Seconds
	r.Seconds = &seconds
	if seconds > 0 {
		fps := float64(res.Delivered) / seconds
		r.FPS = &fps
	}
	if d := on.transferTime(w.j.Staging, res); d > 0 && !on.dev.Info().Unified { // nothing is transferred where all memory is one
		fps := float64(res.Delivered-res.Before) / d.Seconds()
		r.TransferFPS = &fps
	}
	r.InFlightMax = &res.InFlightMax
	r.Stages = tally.Stages(res.Busy)
	on.account.Tell(r)
	r.Device = on.device(res)
	written := w.sink.Stats()
	if n := written.Images; n > 0 {
		r.Images = &n
	}
	r.DamagedPackets = &written.Damaged
	if part := w.sink.Part(); part != "" {
		r.Partial = &part
		w.note("what was done until then is in " + part)
	}
	upSlots, downSlots := on.staging.Stats()
	if res.Moved {
		upSlots, _ = w.staging.Stats() // lent from there, and locked since
	}
	r.HostMemory = report.HostMemory{Upload: tally.Ring(upSlots), Download: tally.Ring(downSlots)}
}

// base is where frames are processed.
type base struct {
	stock   *stock
	dev     gpu.Device
	staging *transfer.Staging
	account *purse.Account
}

// on is where the run has come to.
func (w *way) on(res *pipeline.Result) base {
	if res.Moved {
		card := w.card.stock
		return base{card, card.dev, w.crossing.there(), w.crossing.account}
	}
	return base{w.stock, w.dev, w.staging, w.account}
}

// device describes it.
func (b base) device(res *pipeline.Result) *report.Device {
	d := b.stock.known.Device
	if d == nil || !res.Moved {
		return d
	}
	moved := *d
	moved.FromFrame = &res.Before
	return &moved
}

// transferTime is how long the transfer path was busy with frames. What was done on the CPU before is not
// in it.
func (b base) transferTime(c config.Staging, res *pipeline.Result) time.Duration {
	up, down := directions(c)
	before := res.BusyBefore
	return tally.TransferTime(res, b.staging, up, down) - before.Upload - before.Kernels - before.Download
}
