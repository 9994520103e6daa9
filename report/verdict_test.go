package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pinring/pinring/report"
	"pgregory.net/rapid"
)

// codes are the findings' codes in order.
func codes(f []report.Finding) []string {
	var out []string
	for _, x := range f {
		out = append(out, x.Code)
	}
	return out
}

func find(t *testing.T, f []report.Finding, code string) report.Finding {
	t.Helper()
	for _, x := range f {
		if x.Code == code {
			return x
		}
	}
	t.Fatalf("no finding %s among %v", code, codes(f))
	return report.Finding{}
}

// rising is usage that grows by step a frame and ends, or stays, after stop frames.
func rising(step int64, stop, frames int) []report.Sample {
	s := flatSeries(inUse, inUse+room, frames)
	for i := range s {
		s[i].Usage += step * int64(min(i, stop))
	}
	return s
}

// bare is a run that knows only its mode, its end and its curve.
func bare(staging string, o report.Outcome, s []report.Sample) report.Run {
	return report.Run{Staging: staging, Outcome: o, Series: s, Frames: &report.Frames{Delivered: 100}}
}

func guardedBy(r report.Run, b *report.Budget) report.Run {
	r.Guard, r.Budget = &report.Guard{Mode: "on", Policy: "wait"}, b
	return r
}

func onCard(runs ...report.Run) []report.Run {
	for i := range runs {
		runs[i].Device = &report.Device{Kind: "cuda", Name: "A Card"}
	}
	return runs
}

func played(runs ...report.Run) []report.Run {
	for i := range runs {
		e := emulation
		runs[i].Emulated, runs[i].Emulation = true, &e
	}
	return runs
}

// Each case names the finding that must be there, words of its text, and findings that must not be:
// claims that the data do not show.
func TestJudge(t *testing.T) {
	const mb = 1_000_000
	flat := flatSeries(inUse, inUse+room, 100)
	grown := rising(8*mb, 100, 100)
	refused := &report.OutOfMem{Frame: ptr(int64(99)), RequestedBytes: frameBytes, UsageBytes: ptr(inUse + 792*mb), BudgetBytes: ptr(inUse + 795*mb),
		PendingReclaimBytes: ptr(int64(780 * mb))}
	oom := func(staging string, s []report.Sample) report.Run {
		r := bare(staging, report.OOM, s)
		r.OutOfMemory = refused
		return r
	}
	speed := func(r report.Run, fps, transfer *float64) report.Run {
		r.FPS, r.TransferFPS = fps, transfer
		return r
	}
	linux := func(runs []report.Run) []report.Run {
		for i := range runs {
			runs[i].Device.DriverModel = ptr("Linux")
		}
		return runs
	}
	limitedBy := func(r report.Run, domain string) report.Run {
		r.Budget = &report.Budget{Limiting: domain, MinHeadroomBytes: 3 * mb}
		return r
	}
	deviceAlloc := func(r report.Run, n int64) report.Run {
		r.LargestDeviceAllocBytes = &n
		return r
	}
	of := func(r report.Run, domain string) report.Run { r.SeriesDomain = &domain; return r }

	for name, c := range map[string]struct {
		runs  []report.Run
		code  string
		words []string
		not   []string
	}{
		"churn fails, reuse is flat": {played(bare("reuse", report.OK, flat), oom("churn", grown)), report.Exhausts,
			[]string{"emulated card article-video", "frame 99", "6,220,800 bytes", "3.0 MB left of the budget of 7.34 GB", "780 MB had been freed",
				"792 MB more in use than with reuse", "all 100 frames", "flat at 6.55 GB"}, []string{report.Cause, report.GuardKept, report.NoGrowth}},
		"churn fails, reuse has no curve": {onCard(bare("reuse", report.OK, nil), oom("churn", grown)), report.Exhausts,
			[]string{"On A Card", "Reuse finished all 100 frames."}, []string{report.Cause, report.Emulated}},
		"churn fails alone":             {onCard(oom("churn", nil)), report.Exhausts, []string{"frame 99"}, []string{report.Cause, report.NothingToCompare}},
		"churn fails, nothing is known": {[]report.Run{{Staging: "churn", Outcome: report.OOM}}, report.Exhausts, []string{"On this machine, churn ran out of memory."}, nil},
		"curves of other memory are not compared": {onCard(of(bare("reuse", report.OK, flat), "host"), of(oom("churn", grown), "local"), of(bare("pageable", report.OK, flat), "host")),
			report.Exhausts, []string{"Reuse finished all 100 frames."}, nil},
		"the ring does not fit":         {onCard(oom("reuse", flat), oom("churn", grown)), report.ReuseExhausts, []string{"--slots"}, nil},
		"growth vanishes with pageable": {played(oom("churn", grown), bare("pageable", report.OK, flat)), report.Cause, []string{"grew by 792 MB", "not at all", "vanishes", "pinned memory is the cause"}, nil},
		"growth stays with pageable":    {played(oom("churn", grown), bare("pageable", report.OK, grown)), report.NotCause, []string{"does not vanish"}, []string{report.Cause}},
		"some growth stays":             {played(oom("churn", grown), bare("pageable", report.OK, rising(2*mb, 100, 100))), report.PartCause, []string{"198 MB", "most of the cause"}, []string{report.Cause}},
		"pageable fails as well":        {played(oom("churn", grown), oom("pageable", grown)), report.NotCause, []string{"ran out too"}, []string{report.Cause}},
		"pageable has no curve":         {played(oom("churn", grown), bare("pageable", report.OK, nil)), report.Cause, []string{"finished all 100 frames", "pinned memory is what ran out"}, nil},
		"pageable was interrupted":      {played(oom("churn", grown), bare("pageable", report.Interrupted, flat)), report.RunFailed, []string{"interrupted after 100 frames"}, []string{report.Cause, report.NotCause}},
		"the guard keeps it alive": {played(bare("reuse", report.OK, flat), oom("churn", grown),
			guardedBy(bare("churn", report.OK, flatSeries(inUse, inUse+room, 200)), &report.Budget{MinHeadroomBytes: 75 * mb, ThrottledSeconds: 34.4})),
			report.GuardKept, []string{"emulated", "75.0 MB of headroom", "34.4 s of media time", "6.6 s of media time where reuse took 3.3 s", "2.01 times"}, []string{report.GuardFailed}},
		"the guard acts, nobody failed": {onCard(guardedBy(bare("churn", report.OK, grown), &report.Budget{MinHeadroomBytes: 75 * mb, ThrottledSeconds: 2})),
			report.GuardActed, []string{"held frames back for 2.0 s."}, []string{report.GuardKept, report.Cause}},
		"the guard degrades": {onCard(oom("churn", grown), guardedBy(bare("churn", report.OK, grown), &report.Budget{Transitions: []report.Transition{
			{To: "hold", Level: "full"}, {To: "hold", Level: "shrunk"}, {To: "throttle", Level: "pageable"}}})), report.GuardKept, []string{"went over to pageable memory"}, nil},
		"the guard has nothing to do": {onCard(guardedBy(bare("churn", report.OK, flat), &report.Budget{MinHeadroomBytes: 900 * mb})), report.GuardIdle, []string{"no reason to act", "900 MB"}, []string{report.GuardKept}},
		"the guard fails":             {played(guardedBy(oom("churn", grown), &report.Budget{})), report.GuardFailed, []string{"did not prevent it", "frame 99"}, []string{report.Exhausts, report.GuardKept}},
		"Linux: no growth":            {linux(onCard(bare("churn", report.OK, flat))), report.NoGrowth, []string{"rose by 0 B", "Under Linux pinned memory is host memory"}, []string{report.Cause, report.Room}},
		"no growth, driver not known": {onCard(bare("churn", report.OK, flat)), report.NoGrowth, []string{"did not grow"}, []string{report.Cause}},
		"only time": {onCard(speed(bare("reuse", report.OK, flat), ptr(670.0), ptr(4991.0)), speed(bare("churn", report.OK, flat), ptr(221.0), ptr(315.0))),
			report.ChurnCostsTime, []string{"transfer path alone made 315.0 fps with churn and 4,991 with reuse", "15.8 times slower", "221.0 instead of 670.0"}, []string{report.Exhausts}},
		"only time, whole run": {onCard(speed(bare("reuse", report.OK, nil), ptr(300.0), nil), speed(bare("churn", report.OK, nil), ptr(100.0), ptr(5.0))),
			report.ChurnCostsTime, []string{"the whole run made 100.0", "3.00 times"}, []string{report.NoGrowth}},
		"no time":              {onCard(speed(bare("reuse", report.OK, nil), ptr(300.0), nil), speed(bare("churn", report.OK, nil), ptr(299.0), nil)), report.ChurnCostsNone, []string{"no time"}, []string{report.ChurnCostsTime}},
		"faster":               {onCard(speed(bare("reuse", report.OK, nil), ptr(200.0), nil), speed(bare("churn", report.OK, nil), ptr(299.0), nil)), report.ChurnCostsNone, []string{"not slower"}, []string{report.ChurnCostsTime}},
		"room for all":         {played(bare("churn", report.OK, rising(8*mb, 30, 100))), report.Room, []string{"rose by 240 MB", "750 MB were still free", "does not matter"}, []string{report.StillGrowing, report.NoGrowth}},
		"room, only just":      {played(bare("churn", report.OK, rising(16*mb, 50, 150))), report.Room, []string{"rose by 800 MB", "190 MB were left", "can exhaust"}, nil},
		"still growing":        {played(bare("churn", report.OK, rising(2*mb, 300, 300))), report.StillGrowing, []string{"still rising", "2.0 MB a frame", "about 196 frames more"}, []string{report.Room, report.NoGrowth}},
		"shared memory ends":   {played(bare("reuse", report.OK, flat), limitedBy(oom("churn", grown), "shared")), report.SharedLimits, []string{"ran out", "NON_LOCAL", "emulated"}, nil},
		"shared memory limits": {onCard(limitedBy(bare("churn", report.OK, flat), "shared")), report.SharedLimits, []string{"what limits with churn"}, nil},
		"host RAM limits":      {onCard(limitedBy(bare("churn", report.OK, flat), "host")), report.HostLimits, []string{"host RAM"}, []string{report.SharedLimits}},
		"own memory limits":    {onCard(limitedBy(bare("churn", report.OK, flat), "local")), report.NoGrowth, nil, []string{report.SharedLimits, report.HostLimits}},
		"device allocations":   {onCard(deviceAlloc(bare("reuse", report.OK, nil), 900*mb), deviceAlloc(bare("churn", report.OK, nil), 4*mb)), report.DeviceRoom, []string{"900 MB with reuse, 4.0 MB with churn"}, nil},
		"the same room":        {onCard(deviceAlloc(bare("reuse", report.OK, nil), 900*mb), deviceAlloc(bare("churn", report.OK, nil), 899*mb)), report.NothingToCompare, nil, []string{report.DeviceRoom}},
		"CPU device":           {[]report.Run{{Staging: "churn", Outcome: report.OK, Device: &report.Device{Kind: "cpu"}, Series: flat}}, report.CPUDevice, []string{"--emulate"}, []string{report.NoGrowth}},
		"a run fails":          {onCard(bare("reuse", report.OK, flat), report.Run{Staging: "managed", Outcome: report.Failed, Error: &report.Error{Message: "not supported"}}), report.RunFailed, []string{"managed failed: not supported"}, nil},
		"frames are lost":      {onCard(report.Run{Staging: "reuse", Outcome: report.Lost, Frames: &report.Frames{Discarded: 3}}), report.LostFrames, []string{"frames were lost: 3"}, nil},
		"one run":              {onCard(bare("reuse", report.OK, flat)), report.NothingToCompare, []string{"no other run"}, nil},
		"an emulated CPU says nothing of time": {played(speed(bare("reuse", report.OK, flat), ptr(300.0), nil), speed(bare("churn", report.OK, flat), ptr(100.0), nil)),
			report.NoGrowth, []string{"emulated"}, []string{report.ChurnCostsTime}},
	} {
		t.Run(name, func(t *testing.T) {
			got := report.Judge(c.runs)
			f := find(t, got, c.code)
			for _, w := range c.words {
				if !strings.Contains(f.Text, w) {
					t.Errorf("%q is not in: %s", w, f.Text)
				}
			}
			for _, code := range c.not {
				if slices.Contains(codes(got), code) {
					t.Errorf("claims %s: %v", code, got)
				}
			}
		})
	}
}

func TestJudgeNothing(t *testing.T) {
	if f := report.Judge(nil); f == nil || len(f) != 0 {
		t.Errorf("without runs: %v", f)
	}
	if c := report.NewCompare("v", nil); c.Verdict != nil {
		t.Errorf("without runs the verdict is %q", *c.Verdict)
	}
}

// The verdict is the finding that matters most, wherever it stands.
func TestVerdict(t *testing.T) {
	for name, want := range map[string]string{
		"video": "On the emulated card article-video, churn ran out of memory at frame 156",
		"both":  "On the emulated card article-video, churn ran out of memory at frame 156",
		"large": "On the emulated card card-24g, usage rose by 1.90 GB with churn and then stayed there",
		"one":   "On the emulated card article-video, reuse finished all 960 frames",
	} {
		c := samples()[name]
		if c.Verdict == nil || !strings.HasPrefix(*c.Verdict, want) {
			t.Errorf("%s: %v", name, c.Verdict)
		}
	}
	if c := samples()["native"]; !strings.Contains(*c.Verdict, "15.8 times slower") {
		t.Errorf("native: %s", *c.Verdict)
	}
}

// Whatever the runs are like: judging does not fail, each emulated finding says so, no real one does,
// and a claim about the cause needs pageable memory, one about the guard a guard.
func TestJudgeAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOfN(rapid.Custom(anyRun), 1, 8).Draw(t, "runs")
		findings := report.Judge(runs)
		if len(findings) == 0 {
			t.Fatal("nothing is said")
		}
		for _, f := range findings {
			if says := strings.Contains(f.Text, "emulated"); says != f.Emulated {
				t.Errorf("emulated %v: %s", f.Emulated, f.Text)
			}
			if f.Emulated != strings.HasPrefix(f.Title, "Emulated: ") {
				t.Errorf("emulated %v: %s", f.Emulated, f.Title)
			}
			need := func(code string, ok func(r report.Run) bool) {
				if f.Code == code && !slices.ContainsFunc(runs, func(r report.Run) bool { return r.Emulated == f.Emulated && ok(r) }) {
					t.Errorf("%s without evidence: %s", f.Code, f.Text)
				}
			}
			need(report.Cause, func(r report.Run) bool { return r.Staging == "pageable" && r.Outcome == report.OK })
			need(report.Exhausts, func(r report.Run) bool { return r.Outcome == report.OOM })
			need(report.GuardKept, func(r report.Run) bool { return r.Guard != nil && r.Guard.Mode == "on" && r.Outcome == report.OK })
			need(report.NoGrowth, func(r report.Run) bool { return r.Staging == "churn" && r.Outcome == report.OK && len(r.Series) > 1 })
			need(report.ChurnCostsTime, func(r report.Run) bool { return r.Staging == "churn" && r.FPS != nil })
		}
	})
}

func anyRun(t *rapid.T) report.Run {
	r := report.Run{
		Staging: rapid.SampledFrom([]string{"reuse", "churn", "pageable", "mapped"}).Draw(t, "staging"),
		Outcome: rapid.SampledFrom([]report.Outcome{report.OK, report.OOM, report.Failed, report.Interrupted}).Draw(t, "outcome"),
		Guard:   &report.Guard{Mode: rapid.SampledFrom([]string{"on", "off"}).Draw(t, "guard")},
		Device:  &report.Device{Kind: rapid.SampledFrom([]string{"cpu", "cuda"}).Draw(t, "device"), Name: "A Card"},
		Frames:  &report.Frames{Delivered: rapid.Int64Range(0, 100).Draw(t, "frames")},
	}
	if rapid.Bool().Draw(t, "played") {
		e := emulation
		r.Emulated, r.Emulation = true, &e
	}
	for i := range rapid.IntRange(0, 6).Draw(t, "samples") {
		r.Series = append(r.Series, report.Sample{Frame: int64(i), T: float64(i), Usage: rapid.Int64Range(0, 1e9).Draw(t, "usage"), Budget: 1e9})
	}
	if rapid.Bool().Draw(t, "fast") {
		r.FPS = ptr(rapid.Float64Range(0, 1000).Draw(t, "fps"))
	}
	if rapid.Bool().Draw(t, "budget") {
		r.Budget = &report.Budget{Limiting: rapid.SampledFrom([]string{"local", "shared", "host"}).Draw(t, "limiting"), ThrottledSeconds: rapid.Float64Range(0, 5).Draw(t, "waited")}
	}
	return r
}
