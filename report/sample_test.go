package report_test

import (
	"math"

	"github.com/pinring/pinring/report"
)

// The samples are shaped like runs of the article's case study: 960 frames of 1920 × 1080 × 3 bytes at
// 30 fps, on a card that has 0.99 GB left and takes freed pinned memory back after ten seconds.
const (
	frameBytes  = 6_220_800
	charge      = 6_320_333 // at 1.016
	sampleCount = 960
	inUse       = int64(6_550_000_000)
	room        = int64(990_000_000)
	reclaim     = 10.0
	pace        = 1 / 30.0
)

var emulation = report.Emulation{Profile: "article-video", Mode: "ledger", Clock: "media", Segment: "local"}

// playedRun is what all runs on the emulated card have in common.
func playedRun(staging string) report.Run {
	e := emulation
	return report.Run{
		Version: "v1.2.3", Outcome: report.OK,
		Input: &report.Input{Path: "/films/sample data, not measured.mp4", Container: "mov,mp4", Codec: "h264", PixelFormat: "yuv420p",
			Width: 1920, Height: 1080, FrameRate: ptr(30.0)},
		Output: ptr("null:"), Device: &report.Device{Kind: "cpu", Name: "A Processor"}, Emulated: true, Emulation: &e,
		Staging: staging, StagingFormat: ptr("rgb24"), Guard: &report.Guard{Mode: "off", Policy: "wait"},
		Frames: &report.Frames{Decoded: sampleCount, Delivered: sampleCount}, Seconds: ptr(4.8), FPS: ptr(200.0), TransferFPS: ptr(1204.0),
		Budget:       &report.Budget{Limiting: "local", MinHeadroomBytes: room, Source: ptr("emulated card"), Twin: ptr("nvidia-smi Memory-Usage")},
		SeriesDomain: ptr("local"),
	}
}

func withRing(r report.Run, allocs, frees, peak int64, alloc, free *report.Times) report.Run {
	r.HostMemory.Upload = &report.Ring{Slots: 12, SlotBytes: 6_221_824, PinnedPeakBytes: peak, Allocs: allocs, Frees: frees,
		AllocMicros: alloc, FreeMicros: free}
	return r
}

// flatSeries is usage that does not move.
func flatSeries(usage, budget int64, frames int) []report.Sample {
	s := make([]report.Sample, frames)
	for i := range s {
		s[i] = report.Sample{Frame: int64(i), T: float64(i) * pace, Usage: usage, Budget: budget}
	}
	return s
}

// churned plays a card on which each frame is charged and its memory comes back reclaim seconds
// later. A frame is admitted when wait lets it; the run ends when a charge does not fit.
func churned(budget int64, wait func(usage, budget int64, t float64) float64) (s []report.Sample, oom bool) {
	var back []float64 // when each charge comes back
	t, usage := 0.0, inUse
	settle := func() {
		for len(back) > 0 && back[0] <= t {
			usage -= charge
			back = back[1:]
		}
	}
	for n := range sampleCount {
		settle()
		for d := wait(usage, budget, t); d > 0; d = wait(usage, budget, t) {
			t += d
			settle()
		}
		s = append(s, report.Sample{Frame: int64(n), T: t, Usage: usage, Budget: budget})
		if usage+charge > budget {
			return s, true
		}
		usage += charge
		back = append(back, t+reclaim)
		t += pace
	}
	return s, false
}

func never(int64, int64, float64) float64 { return 0 }

// guardedChurn plays a guard with a soft mark of 256 MB and a hard one of 75 MB.
func guardedChurn(budget int64) (s []report.Sample, waited float64, changes []report.Transition) {
	phase, frame, lastPaced := "clear", int64(0), math.Inf(-1)
	enter := func(to string, t float64, left int64, why string) {
		if to != phase {
			changes = append(changes, report.Transition{Frame: frame, T: t, From: phase, To: to, Level: "full", Domain: "local",
				HeadroomBytes: ptr(left), Why: why})
			phase = to
		}
	}
	s, _ = churned(budget, func(usage, budget int64, t float64) float64 {
		left := budget - usage - charge
		switch {
		case left < 75_000_000:
			enter("hold", t, left, "the next frame would pass the hard mark")
			waited += 0.25
			return 0.25
		case left < 256_000_000 && t != lastPaced:
			enter("throttle", t, left, "headroom is below the soft mark")
			lag := 0.125 * charge / float64(left-70_000_000)
			lastPaced = t + lag
			waited += lag
			return lag
		case left >= 290_000_000:
			enter("clear", t, left, "headroom has come back")
		}
		frame++
		return 0
	})
	return s, waited, changes
}

// video is the star scene: the four default runs on the emulated card article-video.
func video() *report.Compare {
	budget := inUse + room
	reuse := withRing(playedRun("reuse"), 12, 0, 74_661_888, &report.Times{P50: 840, P99: 1730, Max: 1730}, nil)
	reuse.Series = flatSeries(inUse+12*charge, budget, sampleCount)
	reuse.Budget.MinHeadroomBytes = room - 12*charge
	reuse.LargestDeviceAllocBytes = ptr(room - 12*charge)

	bad := withRing(playedRun("churn"), 156, 150, 49_774_592, &report.Times{P50: 911, P99: 2740, Max: 4120}, &report.Times{P50: 212, P99: 655, Max: 1930})
	var oom bool
	bad.Series, oom = churned(budget, never)
	if !oom {
		panic("the sample does not run out of memory")
	}
	last := bad.Series[len(bad.Series)-1]
	bad.Outcome, bad.ExitCode = report.OOM, 4
	bad.Frames = &report.Frames{Decoded: 160, Delivered: 150, Discarded: 10}
	bad.Seconds, bad.FPS, bad.TransferFPS = ptr(1.11), ptr(135.1), ptr(402.0)
	bad.Budget.MinHeadroomBytes = budget - last.Usage
	bad.LargestDeviceAllocBytes = ptr(budget - last.Usage)
	bad.Error = &report.Error{Stage: "staging", Frame: ptr(last.Frame), Message: "out of memory", Hint: ptr("use --staging reuse")}
	bad.OutOfMemory = &report.OutOfMem{Frame: ptr(last.Frame), RequestedBytes: frameBytes, UsageBytes: ptr(last.Usage), BudgetBytes: ptr(budget),
		PendingReclaimBytes: ptr(int64(148 * charge)), Domain: ptr("local"), Call: "cuMemHostAlloc", Code: 2}

	plain := playedRun("pageable")
	plain.Series = flatSeries(inUse, budget, sampleCount)
	plain.FPS, plain.TransferFPS = ptr(188.4), ptr(1130.0)
	plain.HostMemory.Upload = &report.Ring{Slots: 0, SlotBytes: frameBytes, Allocs: sampleCount, Frees: sampleCount,
		AllocMicros: &report.Times{P50: 3.1, P99: 14.6, Max: 210}, FreeMicros: &report.Times{P50: 1.2, P99: 9.8, Max: 95}}
	plain.LargestDeviceAllocBytes = ptr(room)

	kept := withRing(playedRun("churn"), sampleCount, sampleCount, 49_774_592, &report.Times{P50: 905, P99: 2690, Max: 5230}, &report.Times{P50: 209, P99: 640, Max: 2210})
	kept.Guard = &report.Guard{Mode: "on", Policy: "wait"}
	kept.Series, kept.Budget.ThrottledSeconds, kept.Budget.Transitions = guardedChurn(budget)
	kept.Budget.MinHeadroomBytes = 75_812_000
	kept.FPS, kept.TransferFPS = ptr(129.7), ptr(388.0)
	kept.LargestDeviceAllocBytes = ptr(int64(75_812_000))

	c := report.NewCompare("v1.2.3", []report.Run{reuse, bad, plain, kept})
	c.Command = ptr(`pinring compare '/films/sample data, not measured.mp4' --emulate article-video --staging-format rgb24 --report out/compare.html`)
	c.Created = ptr("2026-12-01T08:24:35Z")
	c.Environment = []report.Fact{{Name: "System", Value: "Debian GNU/Linux 12, kernel 6.1"}, {Name: "Device", Value: "CPU, A Processor, 8 cores"},
		{Name: "FFmpeg", Value: "5.1.9 (libavcodec 59.37.100)"}, {Name: "Input", Value: "H.264, 1920 × 1080, 30 fps, yuv420p, staged as rgb24"}}
	c.Emulates = []string{"A card of 8 GB, of which the desktop uses 0.9 GB, a context 0.45 GB and a model 5.2 GB.",
		"Pinned host memory is charged to the card's own memory (LOCAL), 1.016 bytes for each byte.",
		"What is freed stays charged for 10 s of media time. After one refusal all are refused."}
	c.NotModelled = []string{"page tables and other management structures, beyond what the charge ratio contains",
		"eviction: its cost in time, and memory that moves out and comes back", "the time that allocating and freeing take"}
	c.Notes = []string{"The input has 600 frames and was looped to 960."}
	return c
}

// native is the same on a real card under Linux, where nothing grows.
func nativeRuns() []report.Run {
	const total, used = int64(150_000_000_000), int64(1_240_000_000)
	make := func(staging string, fps, transfer float64) report.Run {
		r := playedRun(staging)
		r.Emulated, r.Emulation = false, nil
		r.Device = &report.Device{Kind: "cuda", Name: "NVIDIA H200", DriverModel: ptr("Linux")}
		r.FPS, r.TransferFPS = ptr(fps), ptr(transfer)
		r.Series = flatSeries(used, total, sampleCount)
		r.Budget = &report.Budget{Limiting: "local", MinHeadroomBytes: total - used}
		r.LargestDeviceAllocBytes = ptr(total - used - 400_000_000)
		return r
	}
	reuse := withRing(make("reuse", 670, 4991), 12, 0, 74_661_888, &report.Times{P50: 2740, P99: 3300, Max: 3300}, nil)
	bad := withRing(make("churn", 221, 315), sampleCount, sampleCount, 49_774_592, &report.Times{P50: 2740, P99: 3300, Max: 9120}, &report.Times{P50: 1010, P99: 1420, Max: 2210})
	for i := range bad.Series {
		bad.Series[i].Usage += int64(i%3) * 2 << 20
	}
	plain := make("pageable", 512, 1480)
	plain.HostMemory.Upload = &report.Ring{Allocs: sampleCount, Frees: sampleCount, AllocMicros: &report.Times{P50: 2.8, P99: 11, Max: 180}, FreeMicros: &report.Times{P50: 1.1, P99: 8, Max: 60}}
	kept := withRing(make("churn", 219, 312), sampleCount, sampleCount, 49_774_592, &report.Times{P50: 2750, P99: 3320, Max: 8730}, &report.Times{P50: 1020, P99: 1450, Max: 2080})
	kept.Guard = &report.Guard{Mode: "on", Policy: "wait"}
	return []report.Run{reuse, bad, plain, kept}
}

// large is article's churn on an emulated card of 24 GB, which has room for all that is pending.
func largeRuns() []report.Run {
	budget := inUse + 17_350_000_000
	runs := video().Runs[:3]
	for i := range runs {
		runs[i].Emulation.Profile = "card-24g"
		runs[i].LargestDeviceAllocBytes = ptr(budget - inUse)
		for j := range runs[i].Series {
			runs[i].Series[j].Budget = budget
		}
	}
	ok := runs[1]
	ok.Outcome, ok.ExitCode, ok.Error, ok.OutOfMemory = report.OK, 0, nil, nil
	ok.Series, _ = churned(budget, never)
	ok.Frames = &report.Frames{Decoded: sampleCount, Delivered: sampleCount}
	ok.LargestDeviceAllocBytes = ptr(int64(15_453_000_000))
	ok.Budget = &report.Budget{Limiting: "local", MinHeadroomBytes: 15_453_000_000}
	runs[1] = ok
	return runs
}

// hostile has names that would break out of HTML, SVG, a script, a terminal.
func hostile() *report.Compare {
	c := video()
	const evil = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>\"'`&\x1b[31m\u202e\xff.mp4"
	for i := range c.Runs {
		c.Runs[i].Input.Path = evil
		c.Runs[i].Emulation.Profile = evil
		c.Runs[i].Device.Name = evil
	}
	c.Runs[2].Staging = evil
	c.Runs[3].Outcome, c.Runs[3].Error = report.Failed, &report.Error{Stage: evil, Message: evil}
	d := report.NewCompare(evil, c.Runs)
	d.Command, d.Created = ptr(evil), ptr(evil)
	d.Environment = []report.Fact{{Name: evil, Value: evil}}
	d.Emulates, d.NotModelled, d.Notes = []string{evil}, []string{evil}, []string{evil}
	return d
}

// broken has runs that failed early, figures that are missing or no numbers, no frames.
func broken() *report.Compare {
	early := report.Run{Version: "v1.2.3", Outcome: report.Failed, ExitCode: 3, Staging: "reuse", Error: &report.Error{Stage: "input", Message: "no such file"}}
	empty := report.Run{Staging: "churn", Outcome: report.OK, Frames: &report.Frames{}, Seconds: ptr(0.0), FPS: ptr(math.NaN()), TransferFPS: ptr(math.Inf(1)),
		HostMemory: report.HostMemory{Download: &report.Ring{AllocMicros: &report.Times{}}}, Series: []report.Sample{{}}, Budget: &report.Budget{}}
	odd := report.Run{Staging: "mapped", Outcome: report.OOM, Series: []report.Sample{{Frame: 7, Usage: 3}, {Frame: 7, Usage: -2, Budget: 1}, {Frame: 3, Usage: math.MaxInt64, Budget: math.MaxInt64}},
		OutOfMemory: &report.OutOfMem{}, Budget: &report.Budget{Transitions: []report.Transition{{To: "hold", Frame: 900}, {To: "nonsense"}}}}
	return report.NewCompare("v1.2.3", []report.Run{early, empty, odd, {Outcome: report.Interrupted, Emulated: true}})
}

// eight is as many runs as a comparison may have.
func eight() *report.Compare {
	runs := video().Runs
	for _, mode := range []string{"registered", "mapped", "managed", "reuse"} {
		r := withRing(playedRun(mode), 12, 0, 74_661_888, &report.Times{P50: 2100, P99: 2300, Max: 2400}, &report.Times{P50: 190, P99: 260, Max: 260})
		r.Series = flatSeries(inUse+int64(len(runs))*charge, inUse+room, sampleCount)
		runs = append(runs, r)
	}
	return report.NewCompare("v1.2.3", runs)
}

// samples are all comparisons that every printer must cope with.
func samples() map[string]*report.Compare {
	return map[string]*report.Compare{
		"video": video(), "native": report.NewCompare("v1.2.3", nativeRuns()), "large": report.NewCompare("v1.2.3", largeRuns()),
		"both": report.NewCompare("v1.2.3", append(nativeRuns(), video().Runs...)), "hostile": hostile(), "broken": broken(), "eight": eight(),
		"none": report.NewCompare("v1.2.3", nil), "one": report.NewCompare("v1.2.3", video().Runs[:1]),
	}
}
