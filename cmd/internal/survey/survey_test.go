package survey

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"go.uber.org/goleak"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

// TestMain is also the command that watch starts in tests, see watch_test.go.
func TestMain(m *testing.M) {
	if act := os.Getenv("PINRING_TEST_CHILD"); act != "" {
		os.Exit(child(act))
	}
	goleak.VerifyTestMain(m)
}

// hostOnly is the CPU device for a program without one: only its Info is looked at.
type hostOnly struct{ gpu.Device }

func (hostOnly) Info() gpu.Info { return gpu.Info{Kind: gpu.CPU, Name: "A Processor", Unified: true} }

// invoke runs a command line and returns what it printed.
func invoke(t *testing.T, args ...string) (out, talk string, err error) {
	t.Helper()
	t.Setenv("PINRING_CONFIG", os.DevNull)
	var o, e bytes.Buffer
	talker := cli.NewTalk("test", &e)
	p := &Program{Name: "test", Version: "v1", Out: &o, Say: talker.Say, Quiet: talker.BeQuiet,
		Device: func(string) (gpu.Device, string, error) { return hostOnly{probe.Paper()}, "device: cpu", nil }}
	root := &cobra.Command{Use: "test", SilenceErrors: true, SilenceUsage: true}
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddCommand(Commands(p)...)
	root.SetArgs(args)
	err = root.ExecuteContext(context.Background())
	return o.String(), e.String(), err
}

func parsed[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v
}

// The article's growth within a hundredth, and the profile's delay, through the program and its JSON.
func TestEmulatedProbe(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	out, _, err := invoke(t, "probe", "--emulate", "article-model,resident=0", "--json", "-", "--report", page)
	if err != nil {
		t.Fatal(err)
	}
	p := parsed[report.Probe](t, out)
	article := map[int64]float64{128 << 20: 130.0 / 128, 256 << 20: 260.0 / 256, 512 << 20: 520.0 / 512, 1 << 30: 1.05, 2 << 30: 2.1 / 2}
	pinned := 0
	for _, r := range p.Rows {
		switch r.Kind {
		case "pinned":
			pinned++
			if ratio := float64(*r.DeviceDeltaBytes) / float64(r.Bytes); math.Abs(ratio/article[r.Bytes]-1) > 0.01 {
				t.Errorf("%d bytes: ratio %v", r.Bytes, ratio)
			}
			if r.ReturnedAfter == nil || math.Abs(*r.ReturnedAfter-10_000) > *r.ReturnedWithin {
				t.Errorf("%d bytes: returned after %v", r.Bytes, r.ReturnedAfter)
			}
		case "pageable":
			if *r.DeviceDeltaBytes != 0 || r.ReturnedAfter != nil {
				t.Errorf("pageable: %+v", r)
			}
		}
	}
	if pinned != 5 || !p.Emulated || len(p.NotModelled) == 0 || !strings.Contains(*p.Verdict, "emulated card article-model") {
		t.Errorf("%d pinned rows; %s", pinned, *p.Verdict)
	}
	if text, err := os.ReadFile(page); err != nil || !bytes.Contains(text, []byte("emulated</span>")) {
		t.Errorf("the page: %v", err)
	}
}

func TestProbeWithABaseline(t *testing.T) {
	before := filepath.Join(t.TempDir(), "before.json")
	if _, _, err := invoke(t, "probe", "--emulate", "article-model,resident=0", "--json", before, "--quiet"); err != nil {
		t.Fatal(err)
	}
	out, _, err := invoke(t, "probe", "--emulate", "article-model,resident=0,reclaim=2s,charge-small=1,charge-large=1", "--baseline", before, "--json", "-")
	if err != nil {
		t.Fatal(err)
	}
	b := parsed[report.Probe](t, out).Baseline
	if len(b.Facts) != 1 || b.Facts[0].Name != "card" || !strings.Contains(b.Facts[0].Now, "reclaim=2s") {
		t.Errorf("%+v", b.Facts)
	}
	text := strings.Join(b.Changes, "\n")
	for _, want := range []string{"2 GiB of pinned memory: charged to video memory at ratio 1.000, before 1.050.", "128 MiB of pinned memory: returned after 2.0 s, before 10.0 s."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestProbeWithoutACard(t *testing.T) {
	out, _, err := invoke(t, "probe")
	if err != nil || !strings.Contains(out, "There is no NVIDIA card here") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The card of the case study ends churn, and that is a result.
func TestProbeOfTheCaseStudy(t *testing.T) {
	out, _, err := invoke(t, "probe", "--emulate", "article-video", "--json", "-")
	if err != nil {
		t.Fatal(err)
	}
	p := parsed[report.Probe](t, out)
	if p.Churn.FailedAt == nil || *p.Churn.FailedAt != 156 || p.Reuse.FailedAt != nil || p.Claims[3].Here != report.Holds || p.Claims[5].Here != report.Holds {
		t.Errorf("%+v, %+v", *p.Churn.FailedAt, p.Claims[3])
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.json")
	if err := os.WriteFile(other, []byte(`{"schema":1,"runs":[]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(other, filepath.Join(dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		args string
	}{
		{2, "probe in.mp4"}, {2, "probe --sizes 12potatoes"}, {2, "probe --kinds pined"}, {2, "probe --churn-rate 0"}, {2, "probe --churn-frames -1"},
		{2, "probe --emulate nonsense"}, {2, "probe --emulate article-model,mode=ballast"}, {2, "probe --report -"}, {2, "probe --report " + dir + "/no/p.html"},
		{2, "probe --json x --report x"}, {2, "probe --json x --report ./x"}, {2, "probe --baseline="}, {2, "probe --report="}, {2, "watch --report= -- true"}, {2, "meminfo --pin="},
		{2, "probe --emulate card-24g --json " + other + " --report " + dir + "/link.json"}, {3, "probe --baseline " + dir + "/none.json"}, {3, "probe --baseline " + other},
		{2, "meminfo --pin much"}, {2, "meminfo --pin 1MiB --watch 1s"}, {2, "watch"}, {2, "watch --pid 1 -- true"}, {2, "watch --pid 0"}, {2, "watch --pid many"}, {2, "watch --pid 0 -- true"}, {2, "watch --pid -1"}, {2, "watch --every 0s -- true"},
		{3, "watch --pid 999999999"}, {3, "watch -- /nowhere/nothing"}, {2, "doctor now"},
		{4, "meminfo --pin 2GiB --emulate article-model"}, {4, "meminfo --pin 1TiB"},
	} {
		_, _, err := invoke(t, strings.Fields(c.args)...)
		if code := cli.ExitCode(err); code != c.code {
			t.Errorf("%s: exit code %d, want %d: %v", c.args, code, c.code, err)
		}
	}
}

// Three lines, and a fourth when it is back.
func TestMeminfoPins(t *testing.T) {
	out, _, err := invoke(t, "meminfo", "--pin", "512MiB", "--emulate", "article-model", "--tag", "here")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[here: before]", "[here: pinned]", "[here: freed]", "[here: back, 10.0 s]", "nvidia-smi", "back 10.0 s after the free"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	out, _, err = invoke(t, "meminfo", "--pin", "512MiB", "--emulate", "article-model", "--json", "-")
	m := parsed[report.Memory](t, out)
	used := map[string]int64{}
	for _, r := range m.Readings {
		if r.Source.Source == "emulated cuMemGetInfo" {
			used[*r.Tag] = r.Used
		}
	}
	const charge = 545_460_847 // 512 MiB at 1.016, rounded up
	if err != nil || used["pinned"]-used["before"] != charge || used["freed"] != used["pinned"] || used["back"] != used["before"] {
		t.Errorf("%v, %v", used, err)
	}
}

// The fourth line does not say of memory that it is back when it is not.
func TestMeminfoWaitsAMinute(t *testing.T) {
	out, _, err := invoke(t, "meminfo", "--pin", "512MiB", "--emulate", "article-model,reclaim=61s")
	if err != nil || strings.Contains(out, "[back") || !strings.Contains(out, "[not back, 60.0 s]") || !strings.Contains(out, "not back when the watch ended") {
		t.Errorf("%v\n%s", err, out)
	}
}

// What page and readme show of emulated cards is what the program prints.
func TestDocsShowTheOutput(t *testing.T) {
	text, err := os.ReadFile("../../../docs/windows-pinned-memory.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, from, to string }{
		{"probe --emulate article-model,resident=0 --kinds pinned,pageable", "memory       size", "\npageable  256 MiB"},
		{"meminfo --pin 512MiB --emulate article-model", "emulated cuMemGetInfo (compare", "\n\n512 MiB"},
	} {
		out, _, err := invoke(t, strings.Fields(c.args)...)
		_, out, ok := strings.Cut(out, c.from)
		out, _, ends := strings.Cut(out, c.to)
		if err != nil || !ok || !ends || !strings.Contains(string(text), c.args) || !strings.Contains(string(text), c.from+out+"\n```") {
			t.Errorf("%s: %v; the page does not show\n%s%s", c.args, err, c.from, out)
		}
	}
}

// Doctor's settings load, in the program's own strict reader.
func TestRecommendedSettingsLoad(t *testing.T) {
	machines := [][]probe.Setting{
		{{Key: "device", Value: "cpu"}},
		{{Key: "device", Value: "cuda:0"}, {Key: "max-pinned", Value: "256MiB"}, {Key: "guard-policy", Value: "degrade"}, {Key: "decoder-threads", Value: "16"}, {Key: "guard", Value: "on"}},
	}
	out, _, err := invoke(t, "doctor", "--json", "-")
	if err != nil {
		t.Fatal(err)
	}
	d := parsed[report.Doctor](t, out)
	if d.Verdict == "" || len(d.Checks) < 4 || d.Recommended == nil {
		t.Fatalf("%+v", d)
	}
	files := []string{d.Recommended.File}
	for _, m := range machines {
		files = append(files, probe.File(m))
	}
	for _, text := range files {
		name := filepath.Join(t.TempDir(), "pinring.yaml")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PINRING_CONFIG", name)
		l, err := config.Load(nil)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		if strings.Contains(text, "guard:") && l.Budget.Guard != "on" {
			t.Errorf("guard is %q", l.Budget.Guard)
		}
	}
}

// What cannot be written is said before anything is measured or started.
func TestFilesAreTriedFirst(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"probe", "--emulate", "card-24g", "--json", dir}, {"probe", "--emulate", "card-24g", "--report", dir},
		{"meminfo", "--json", dir}, {"doctor", "--json", dir}, {"watch", "--report", dir, "--", os.Args[0], "-test.run", "^$"},
	} {
		out, _, err := invoke(t, args...)
		if code := cli.ExitCode(err); code != cli.ExitOutput || out != "" || !strings.Contains(err.Error(), "is a folder") {
			t.Errorf("%v: exit code %d, %v\n%s", args, code, err, out)
		}
	}
	name := filepath.Join(dir, "x.json")
	if _, _, err := invoke(t, "doctor", "--json", name); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A baseline may be any file, also one without an end.
func TestBaselinesThatAreNone(t *testing.T) {
	big := filepath.Join(t.TempDir(), "big.json")
	f, err := os.Create(big)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(1<<40), f.Close()); err != nil { // a hole: it takes no room
		t.Fatal(err)
	}
	_, _, err = invoke(t, "probe", "--emulate", "card-24g", "--baseline", big)
	if cli.ExitCode(err) != cli.ExitInput || !strings.Contains(err.Error(), "64 MiB") {
		t.Error(err)
	}
}

// Neither does a file that has the keys and not the numbers.
func TestBaselinesWithOtherNumbers(t *testing.T) {
	for rows, want := range map[string]string{
		`[]`: "", `[{"kind":"pinned","bytes":4096,"returned_after_ms":5}]`: "",
		`[{"kind":"pinned","bytes":0}]`: "0 bytes of memory", `[{"kind":"pinned","bytes":-1}]`: "-1 bytes",
		`[{"kind":"pinned","bytes":4096,"device_delta_bytes":-9223372036854775808}]`: "a change by -9223372036854775808",
		`[{"kind":"pinned","bytes":4096,"returned_after_ms":-1e308}]`:                "after -1e+308 ms",
		`[],"churn":{"bytes":1,"rate":30,"frames":5,"failed_at":-3}`:                 "failed at -3 of 5",
	} {
		name := filepath.Join(t.TempDir(), "before.json")
		if err := os.WriteFile(name, []byte(`{"schema":1,"sources":[],"rows":`+rows+`}`), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, err := invoke(t, "probe", "--emulate", "card-24g", "--sizes", "4KiB", "--kinds", "pinned", "--churn-frames", "0", "--baseline", name)
		switch code := cli.ExitCode(err); {
		case want == "" && err != nil, want != "" && code != cli.ExitInput:
			t.Errorf("%s: exit code %d, %v", rows, code, err)
		case want != "" && !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v", rows, err)
		}
	}
}

func TestMeminfoWatchWantsATime(t *testing.T) {
	for _, every := range []string{"-1s", "0s", "1ns"} {
		if _, _, err := invoke(t, "meminfo", "--watch", every); cli.ExitCode(err) != cli.ExitUsage || !strings.Contains(err.Error(), "--watch "+every) {
			t.Errorf("%s: %v", every, err)
		}
	}
}
