package main

import (
	"runtime"
	"time"

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
	r.Frames = &report.Frames{
		Decoded: res.Admitted, Delivered: res.Delivered, Discarded: res.Discarded,
		Concealed: d.Concealed, Undecodable: d.DiscardedDamaged, OutsideSlots: d.Elsewhere,
		Degraded:     w.staging.Degraded(),
		CopiedToSlot: w.staging.Copied(), CopiedToEncoder: res.CopiedToEncoder,
	}
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
	r.Stages = stages(res.Busy)
	w.purse.tell(r)
	if n := w.sink.Stats().Images; n > 0 {
		r.Images = &n
	}
	if part := w.sink.Part(); part != "" {
		r.Partial = &part
		w.note("what was done until then is in " + part)
	}
	up, down := w.staging.Stats()
	r.HostMemory = report.HostMemory{Upload: ring(up), Download: ring(down)}
}

// stages leaves out what did not happen.
func stages(b pipeline.Busy) *report.Stages {
	busy := func(d time.Duration) *report.Busy {
		if d == 0 {
			return nil
		}
		return &report.Busy{Seconds: d.Seconds()}
	}
	return &report.Stages{Decode: busy(b.Decode), Memcpy: busy(b.Memcpy), Upload: busy(b.Upload),
		Kernels: busy(b.Kernels), Download: busy(b.Download), Encode: busy(b.Encode)}
}

// ring is nil for a direction that had no slots.
func ring(s transfer.Stats) *report.Ring {
	if s.Allocs == 0 {
		return nil
	}
	pinned := s.PeakBytes
	if !s.Locked {
		pinned = 0
	}
	return &report.Ring{
		Slots: s.Slots, SlotBytes: int64(s.SlotBytes), PinnedPeakBytes: pinned,
		Allocs: s.Allocs, Frees: s.Frees, AllocMicros: times(s.AllocTime), FreeMicros: times(s.FreeTime),
	}
}

func times(t gpu.Times) *report.Times {
	if t.Count == 0 {
		return nil
	}
	us := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
	return &report.Times{P50: us(t.P50), P99: us(t.P99), Max: us(t.Max)}
}

// transferTime is how long the transfer path was busy with frames: copying up and down, the kernels
// between, and allocating and freeing where that is done for each frame. Neither decoding, nor the
// copy into staging memory, nor making a ring once is in it.
func (w *way) transferTime(res *pipeline.Result) time.Duration {
	t := res.Busy.Upload + res.Busy.Kernels + res.Busy.Download
	up, down := directions(w.j.Staging)
	upStats, downStats := w.staging.Stats()
	for _, d := range []struct {
		mode  transfer.Mode
		stats transfer.Stats
	}{{up, upStats}, {down, downStats}} {
		if d.mode.PerFrame {
			t += d.stats.AllocTime.Total + d.stats.FreeTime.Total
		}
	}
	return t
}
