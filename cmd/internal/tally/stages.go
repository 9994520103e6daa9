// Package tally turns what a run counted into the fields of its report, and into words, for every
// program that runs frames.
package tally

import (
	"time"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
	"github.com/pinring/pinring/transfer"
)

// Stages leaves out what did not happen.
func Stages(b pipeline.Busy) *report.Stages {
	busy := func(d time.Duration) *report.Busy {
		if d == 0 {
			return nil
		}
		return &report.Busy{Seconds: d.Seconds()}
	}
	return &report.Stages{Decode: busy(b.Decode), Memcpy: busy(b.Memcpy), Upload: busy(b.Upload),
		Kernels: busy(b.Kernels), Download: busy(b.Download), Encode: busy(b.Encode)}
}

// Ring is nil for a direction that had no slots.
func Ring(s transfer.Stats) *report.Ring {
	if s.PeakBytes == 0 { // allocations alone do not tell: memory may come from an earlier input
		return nil
	}
	pinned := s.PeakBytes
	if !s.Locked {
		pinned = 0
	}
	return &report.Ring{
		Slots: s.Slots, SlotBytes: int64(s.SlotBytes), PinnedPeakBytes: pinned,
		Allocs: s.Allocs, Frees: s.Frees, AllocMicros: Times(s.AllocTime), FreeMicros: Times(s.FreeTime),
	}
}

// Times is nil when nothing was timed.
func Times(t gpu.Times) *report.Times {
	if t.Count == 0 {
		return nil
	}
	us := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
	return &report.Times{P50: us(t.P50), P99: us(t.P99), Max: us(t.Max)}
}

// TransferTime is how long the transfer path was busy with frames: copying up and down, the kernels
// between, and allocating and freeing where that is done for each frame. Neither decoding, nor the
// copy into staging memory, nor making a ring once is in it.
func TransferTime(res *pipeline.Result, staging *transfer.Staging, up, down transfer.Mode) time.Duration {
	t := res.Busy.Upload + res.Busy.Kernels + res.Busy.Download
	upStats, downStats := staging.Stats()
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
