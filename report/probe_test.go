package report_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinring/pinring/report"
)

// probed is a probe of a card of 8 GB that charges pinned memory to domains at a ratio, and gives it
// back after ms.
func probed(ratio float64, ms float64, domains ...string) *report.Probe {
	p := &report.Probe{Version: "v1.2.3", Command: ptr("pinring probe"), Created: ptr("2026-01-02T03:04:05Z"),
		Device:      &report.Device{Kind: "cuda", Name: "A Card <&>", DriverModel: ptr("WDDM")},
		Environment: []report.Fact{{Name: "driver", Value: "551.86"}, {Name: "CUDA", Value: "12.4"}},
		Sources: []report.Source{
			{Source: "cuMemGetInfo", Domain: "local", Twin: "nvidia-smi", Used: 1_350_000_000, Free: 6_650_000_000, Total: 8_000_000_000},
			{Source: "DXGI LOCAL", Domain: "local", Twin: "Task Manager Dedicated", Used: 450_000_000, Free: 6_600_000_000, Total: 7_050_000_000},
			{Source: "DXGI NON_LOCAL", Domain: "shared", Twin: "Task Manager Shared", Used: 50_000_000, Free: 15_950_000_000, Total: 16_000_000_000},
		},
		Missing: []string{"NVML: nvml.dll cannot be opened"}}
	for _, kind := range []string{"pinned", "pageable"} {
		for _, bytes := range []int64{128 << 20, 1 << 30} {
			r := report.ProbeRow{Kind: kind, Bytes: bytes, AllocMillis: ptr(93.4), FreeMillis: ptr(12.1), WatchedForSeconds: 60}
			for _, s := range p.Sources {
				t := report.Trace{Source: s.Source, Domain: s.Domain, BeforeBytes: s.Used, HeldBytes: s.Used + 1_000_000, FreedBytes: s.Used + 1_000_000}
				if kind == "pinned" && slices.Contains(domains, s.Domain) {
					t.HeldBytes = s.Used + int64(ratio*float64(bytes))
					t.FreedBytes, t.Watched = t.HeldBytes, true
					if ms >= 0 {
						t.ReturnedAfter, r.ReturnedWithin = &ms, ptr(20.0)
					}
				}
				r.Traces = append(r.Traces, t)
			}
			p.Rows = append(p.Rows, r)
		}
	}
	p.Rows = append(p.Rows, report.ProbeRow{Kind: "pinned", Bytes: 8 << 30, Skipped: ptr("more than a third of the host's free memory, 10.00 GB")},
		report.ProbeRow{Kind: "managed", Bytes: 128 << 20, Error: ptr("managed memory is not supported by this device")})
	room := int64(6_600_000_000)
	if slices.Contains(domains, "local") {
		room -= int64(ratio * (1 << 30))
	}
	p.Room = &report.ProbeRoom{HeldBytes: 1 << 30, NothingBytes: 6_600_000_000, PageableBytes: 6_600_000_000, PinnedBytes: &room}
	p.Reuse, p.Churn = framesOf(100, 0, domains), framesOf(300, 6_320_333, domains)
	return p
}

// framesOf is frames that take bytes each, in the first of the domains.
func framesOf(n, bytes int64, domains []string) *report.ProbeFrames {
	f := &report.ProbeFrames{Bytes: 6220800, Frames: n, Rate: 30, Done: n, AllocMicros: &report.Times{P50: 2740, P99: 3300, Max: 4000},
		FreeMicros: &report.Times{P50: 1010, P99: 1200, Max: 1300}}
	for _, d := range []string{"local", "shared"} {
		l := report.ProbeLine{Source: map[string]string{"local": "cuMemGetInfo", "shared": "DXGI NON_LOCAL"}[d], Domain: d, Twin: "a twin"}
		for i := range n {
			s := report.Sample{Frame: i, T: float64(i) / 30, Usage: 1_350_000_000, Budget: 8_000_000_000}
			if slices.Contains(domains, d) {
				s.Usage += i * bytes
				l.PerFrame = float64(bytes)
			}
			l.Points = append(l.Points, s)
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

func probes() map[string]*report.Probe {
	emulated := probed(1.016, 10_000, "local")
	emulated.Emulated, emulated.Emulation = true, &report.Emulation{Profile: "article-video", Mode: "ledger", Clock: "media", Segment: "local"}
	emulated.NotModelled = []string{"eviction"}
	emulated.Churn.Done, emulated.Churn.FailedAt, emulated.Churn.Error = 156, ptr(int64(156)), ptr("out of memory")
	emulated.Churn.AllocMicros, emulated.Churn.FreeMicros = nil, nil
	for i := range emulated.Churn.Lines {
		emulated.Churn.Lines[i].Points = emulated.Churn.Lines[i].Points[:157]
	}
	hostile := probed(1, 5, "local")
	hostile.Device.Name = "\x1b[31m</style><script>document.title='owned'</script>\u202e"
	hostile.Rows[0].Kind = "</svg><img src=x>"
	stopped := &report.Probe{Version: "v1.2.3", Interrupted: true, Sources: []report.Source{}, Rows: []report.ProbeRow{}}
	return map[string]*report.Probe{
		"charged": probed(1.05, 2000, "local"), "not-charged": probed(1, 0), "shared": probed(1, 30, "shared"),
		"both": probed(1.05, -1, "local", "shared"), "emulated": emulated, "hostile": hostile, "stopped": stopped,
		"cpu": {Version: "v1.2.3", Device: &report.Device{Kind: "cpu", Name: "A Processor"}},
	}
}

// concluded is a sample with what follows from it.
func concluded(name string) *report.Probe {
	p := probes()[name]
	p.Conclude(nil)
	return p
}

func TestGoldenProbe(t *testing.T) {
	for name := range probes() {
		t.Run(name, func(t *testing.T) {
			golden(t, "probe-"+name+".txt", func(w io.Writer) error { return report.Text{}.PrintProbe(w, concluded(name)) })
		})
	}
	p := concluded("charged")
	for _, f := range []*report.ProbeFrames{p.Reuse, p.Churn} {
		for i := range f.Lines {
			f.Lines[i].Points = f.Lines[i].Points[:2] // to keep the file readable
		}
	}
	golden(t, "probe.json", func(w io.Writer) error { return report.JSON{}.PrintProbe(w, p) })
}

func TestProbeVerdicts(t *testing.T) {
	for name, want := range map[string]string{
		"charged":     "Pinned memory is charged to video memory here: ratio 1.050, returned after 2.0 s.",
		"not-charged": "Pinned memory is not charged to video memory here: 128 MiB to 1 GiB of it changed what is in use by at most 1.0 MB.",
		"shared":      "Pinned memory is charged to shared GPU memory, not to video memory here: ratio 1.000, returned after 30 ms.",
		"both":        "Pinned memory is charged to video memory and to shared GPU memory here: ratio 1.050 and ratio 1.050, not returned while it was watched.",
		"emulated":    "On the emulated card article-video: pinned memory is charged to video memory here: ratio 1.016, returned after 10.0 s.",
	} {
		if p := concluded(name); p.Verdict == nil || *p.Verdict != want {
			t.Errorf("%s: %q", name, *p.Verdict)
		}
	}
	if p := concluded("cpu"); p.Findings[0].Code != report.NoCard {
		t.Errorf("%+v", p.Findings)
	}
}

// What is claimed to hold follows from the figures: other figures, other claims.
func TestProbeClaims(t *testing.T) {
	for name, want := range map[string]map[int]string{
		"charged":     {1: report.Holds, 2: report.Holds, 3: report.Holds, 4: report.HoldNot, 5: report.Holds, 6: report.Holds, 7: report.Holds, 8: report.NotSeen, 9: report.Holds, 10: report.NotSeen, 11: report.NotSeen, 12: report.Holds, 13: report.Holds},
		"not-charged": {1: report.HoldNot, 2: report.HoldNot, 3: report.NotSeen, 4: report.HoldNot, 9: report.NotSeen, 12: report.HoldNot, 13: report.Holds},
		"shared":      {1: report.HoldNot, 2: report.HoldNot, 3: report.HoldNot, 9: report.Holds, 12: report.HoldNot},
		"emulated":    {4: report.Holds, 7: report.NotSeen, 13: report.NotSeen},
	} {
		p := concluded(name)
		if len(p.Claims) != 13 {
			t.Fatalf("%d claims", len(p.Claims))
		}
		for n, here := range want {
			if c := p.Claims[n-1]; c.Number != n || c.Here != here || c.Why == "" {
				t.Errorf("%s: %+v, want %s", name, c, here)
			}
		}
	}
}

func TestProbeAgainstABaseline(t *testing.T) {
	then, now := concluded("charged"), probes()["not-charged"]
	now.Environment[0].Value = "580.1"
	now.Conclude(then)
	b := now.Baseline
	text := strings.Join(b.Changes, "\n")
	for _, want := range []string{"driver: 580.1, before 551.86.", "1 GiB of pinned memory: charged to video memory at ratio 0.001, before 1.050.", "before it returned after 2.0 s"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if len(b.Facts) != 1 || now.Claims[9].Here != report.Holds {
		t.Errorf("%+v, %+v", b.Facts, now.Claims[9])
	}
	moved := probes()["shared"]
	moved.Conclude(then)
	if text := strings.Join(moved.Baseline.Changes, "\n"); !strings.Contains(text, "charged to shared GPU memory at ratio 1.000, before 0.001.") {
		t.Errorf("a charge that moved to the other domain: %q", text)
	}
	same := probes()["charged"]
	same.Conclude(then)
	if len(same.Baseline.Changes) != 0 || !slices.ContainsFunc(same.Findings, func(f report.Finding) bool { return f.Code == report.Unchanged }) {
		t.Errorf("%+v", same.Baseline)
	}
}

func memory() *report.Memory {
	m := &report.Memory{Version: "v1.2.3", Device: &report.Device{Kind: "cuda", Name: "A Card"}, Missing: []string{}, Pin: &report.MemoryPin{Bytes: 512 << 20, ReturnedAfter: ptr(2000.0)}}
	for i, tag := range []string{"before", "pinned", "freed", "back"} {
		used := []int64{1_350_000_000, 1_900_000_000, 1_900_000_000, 1_350_000_000}[i]
		m.Readings = append(m.Readings, report.MemoryReading{Tag: &tag, T: []float64{0, 0.1, 0.2, 2.2}[i],
			Source: report.Source{Source: "cuMemGetInfo", Domain: "local", Twin: "nvidia-smi", Used: used, Free: 8_000_000_000 - used, Total: 8_000_000_000}})
	}
	return m
}

func watched() *report.Watch {
	x := &report.Watch{Version: "v1.2.3", Program: "sh -c 'exit 3'", PID: 42, ExitCode: ptr(3), Ended: true, Seconds: 2.5, Interval: 0.1, Missing: []string{}}
	for _, l := range []report.WatchLine{{Name: "NVML", Domain: "local", Twin: "nvidia-smi", First: 1e9, Peak: 3e9, Last: 1e9},
		{Name: "resident", Domain: "process", Twin: "ps RSS", First: 1e6, Peak: 2e8, Last: 2e8}} {
		l.Points = []report.WatchPoint{{T: 0, Bytes: l.First}, {T: 1, Bytes: l.Peak}, {T: 2.5, Bytes: l.Last}}
		x.Lines = append(x.Lines, l)
	}
	return x
}

func doctor() *report.Doctor {
	return &report.Doctor{Version: "v1.2.3", Verdict: "ready; 1 warning", Checks: []report.Check{
		{Name: "driver version", Level: report.LevelWarning, Text: "535.54", Advice: ptr("update to 550 or newer")}, {Name: "MPS", Level: report.LevelOK, Text: "off"}},
		Recommended: &report.Recommended{File: "device: cuda:0\n", Reasons: []string{"device: there is a card"}}}
}

func TestGoldenSurvey(t *testing.T) {
	for name, print := range map[string]func(io.Writer) error{
		"memory.txt":  func(w io.Writer) error { return report.Text{}.PrintMemory(w, memory()) },
		"memory.json": func(w io.Writer) error { return report.JSON{}.PrintMemory(w, memory()) },
		"watch.txt":   func(w io.Writer) error { return report.Text{}.PrintWatch(w, watched()) },
		"watch.json":  func(w io.Writer) error { return report.JSON{}.PrintWatch(w, watched()) },
		"doctor.txt":  func(w io.Writer) error { return report.Text{}.PrintDoctor(w, doctor()) },
		"doctor.json": func(w io.Writer) error { return report.JSON{}.PrintDoctor(w, doctor()) },
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, print) })
	}
}

// surveyPages are the pages of probe and watch.
func surveyPages(t testing.TB) map[string][]byte {
	t.Helper()
	pages := map[string][]byte{}
	keep := func(name string, print func(io.Writer) error) {
		var b bytes.Buffer
		if err := print(&b); err != nil {
			t.Fatal(err)
		}
		pages[name] = b.Bytes()
	}
	for name := range probes() {
		keep(name, func(w io.Writer) error { return report.HTML{}.PrintProbe(w, concluded(name)) })
	}
	keep("watch", func(w io.Writer) error { return report.HTML{}.PrintWatch(w, watched()) })
	if dir := os.Getenv("PINRING_REPORT_DIR"); dir != "" {
		for name, data := range pages {
			if err := os.WriteFile(filepath.Join(dir, "survey-"+name+".html"), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return pages
}

func TestSurveyPagesAreWellFormedAndSelfContained(t *testing.T) {
	listed := func(list, name string) bool { return slices.Contains(strings.Fields(list), name) }
	for name, data := range surveyPages(t) {
		all, text := elements(t, data)
		for _, e := range all {
			if !listed(allowedElements, e.Name.Local) {
				t.Errorf("%s: element %s", name, e.Name.Local)
			}
			for _, a := range e.Attr {
				if !listed(allowedAttributes, a.Name.Local) {
					t.Errorf("%s: attribute %s of %s", name, a.Name.Local, e.Name.Local)
				}
			}
		}
		p := concluded0(name)
		if p == nil || name == "hostile" {
			continue
		}
		text = strings.ReplaceAll(text, "\u00a0", " ")
		for _, f := range p.Findings {
			if !strings.Contains(text, f.Text) {
				t.Errorf("%s: the finding is missing: %s", name, f.Text)
			}
		}
	}
}

// concluded0 is nil for what is no probe.
func concluded0(name string) *report.Probe {
	if probes()[name] == nil {
		return nil
	}
	return concluded(name)
}

func TestSurveyPagesInABrowser(t *testing.T) {
	b := browser(t)
	pages := surveyPages(t)
	for name, want := range map[string]struct{ charts, curves int }{
		// Each chart is there twice, wide and narrow: growth (no curves), frames (two curves).
		"emulated": {4, 4}, "both": {6, 4}, "hostile": {4, 4}, "cpu": {0, 0}, "watch": {4, 4},
	} {
		document, console := dump(t, b, pages[name])
		if len(console) > 0 || !strings.Contains(document, `data-ready="yes"`) {
			t.Errorf("%s: the console says %q", name, console)
		}
		if n := strings.Count(document, "<svg "); n != want.charts {
			t.Errorf("%s: %d charts, want %d", name, n, want.charts)
		}
		if n := strings.Count(document, `class="curve `); n != want.curves {
			t.Errorf("%s: %d curves, want %d", name, n, want.curves)
		}
		if strings.Contains(document, "<title>owned") {
			t.Errorf("%s: the title was changed from within", name)
		}
	}
}
