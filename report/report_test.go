package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pinring/pinring/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

func ptr[T any](v T) *T { return &v }

func finishedRun() *report.Run {
	return &report.Run{
		Version: "v1.2.3", Outcome: report.OK,
		Input: &report.Input{Path: "in<&>.mp4", Container: "mov,mp4", Stream: 0, Codec: "h264", PixelFormat: "yuv420p",
			Width: 1920, Height: 1080, FrameRate: ptr(30.0)},
		Output: ptr("out.mp4"), Chain: "scale=1280:720", Device: &report.Device{Kind: "cpu", Name: "A Processor"},
		Staging: "reuse", StagingFormat: ptr("native"), Threads: &report.Threads{Decoder: 2, Cores: 2},
		Frames:  &report.Frames{Decoded: 1900, Delivered: 1900},
		Seconds: ptr(6.25), FPS: ptr(304.0),
		Stages:      &report.Stages{Decode: &report.Busy{Seconds: 5.5}, Encode: &report.Busy{Seconds: 2}},
		InFlightMax: ptr(4),
		HostMemory: report.HostMemory{
			Upload: &report.Ring{Slots: 12, SlotBytes: 3141632, PinnedPeakBytes: 37699584, Allocs: 12,
				AllocMicros: &report.Times{P50: 910.25, P99: 2740, Max: 3300}},
			Download: &report.Ring{Slots: 1, SlotBytes: 1384448, PinnedPeakBytes: 1384448, Allocs: 1,
				AllocMicros: &report.Times{P50: 12, P99: 12, Max: 12}},
		},
	}
}

func outOfMemory() *report.Run {
	return &report.Run{
		Version: "v1.2.3", Outcome: report.OOM, ExitCode: 4,
		Error: &report.Error{Stage: "staging", Frame: ptr(int64(156)), Message: "cuMemHostAlloc: out of memory", Hint: ptr("try --staging reuse")},
		Chain: "", Staging: "churn", Emulated: true,
		Device:    &report.Device{Kind: "cuda", Name: "A Card"},
		Emulation: &report.Emulation{Profile: "article-video", Mode: "ledger", Clock: "media", Segment: "local"},
		Guard:     &report.Guard{Mode: "off", Policy: "wait"},
		Frames:    &report.Frames{Decoded: 160, Delivered: 150, Discarded: 10, Concealed: 1, FilterDropped: 1, FilterAdded: 1, CopiedToSlot: 156, CopiedToEncoder: 2},
		Budget:    &report.Budget{Limiting: "device", MinHeadroomBytes: 1024, ThrottledSeconds: 0.5},
		Series:    []report.Sample{{Frame: 1, T: 0.03, Usage: 5, Budget: 7}},
		OutOfMemory: &report.OutOfMem{Frame: ptr(int64(156)), RequestedBytes: 6220800, UsageBytes: ptr(int64(7)),
			BudgetBytes: ptr(int64(8)), PendingReclaimBytes: ptr(int64(6)), Call: "cuMemHostAlloc", Code: 2},
	}
}

// The golden files are the contract with scripts: a change in one is a change of the schema.
func TestGolden(t *testing.T) {
	runs := map[string]*report.Run{
		"finished": finishedRun(), "oom": outOfMemory(), "early": {Version: "v1.2.3", Outcome: report.Failed, ExitCode: 3, Staging: "reuse",
			Error: &report.Error{Stage: "input", Message: "no such file"}},
	}
	for name, r := range runs {
		for ext, p := range map[string]report.Printer{".json": report.JSON{}, ".txt": report.Text{}} {
			t.Run(name+ext, func(t *testing.T) {
				golden(t, name+ext, func(w io.Writer) error { return p.PrintRun(w, r) })
			})
		}
	}
}

// The curves are thinned for the JSON, to keep the files readable; the texts do not show them.
func TestGoldenCompare(t *testing.T) {
	for name, c := range samples() {
		t.Run(name+".txt", func(t *testing.T) {
			golden(t, "compare-"+name+".txt", func(w io.Writer) error { return report.Text{}.PrintCompare(w, c) })
		})
	}
	c := video()
	for i := range c.Runs {
		c.Runs[i].Series = report.Thin(c.Runs[i].Series, 6)
	}
	t.Run("video.json", func(t *testing.T) {
		golden(t, "compare-video.json", func(w io.Writer) error { return report.JSON{}.PrintCompare(w, c) })
	})
	t.Run("none.json", func(t *testing.T) {
		golden(t, "compare-none.json", func(w io.Writer) error { return report.JSON{}.PrintCompare(w, report.NewCompare("v1.2.3", nil)) })
	})
}

// golden compares what print writes with a file of testdata.
func golden(t *testing.T, name string, print func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := print(&got); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got\n%swant\n%s", got.Bytes(), want)
	}
}

// schema1 is design's list of keys, written down a second time, in order.
const schema1 = `schema version outcome exit_code error input input_path output partial_output images damaged_packets chain device emulated emulation staging staging_format guard
	threads frames seconds fps transfer_fps stages in_flight_max host_memory budget largest_device_alloc_bytes series_domain series oom`

func TestKeysAreAllThereAndInOrder(t *testing.T) {
	for _, r := range []*report.Run{{}, finishedRun(), outOfMemory()} {
		var buf bytes.Buffer
		if err := (report.JSON{}).PrintRun(&buf, r); err != nil {
			t.Fatal(err)
		}
		if got, want := topKeys(t, buf.Bytes()), strings.Join(strings.Fields(schema1), " "); got != want {
			t.Errorf("keys are\n%s\nwant\n%s", got, want)
		}
	}
}

// compareKeys is the same for several runs.
const compareKeys = `schema version command created environment emulates not_modelled notes runs verdict findings`

func TestKeysOfCompare(t *testing.T) {
	for _, c := range []*report.Compare{{}, video()} {
		var buf bytes.Buffer
		if err := (report.JSON{}).PrintCompare(&buf, c); err != nil {
			t.Fatal(err)
		}
		if got := topKeys(t, buf.Bytes()); got != compareKeys {
			t.Errorf("keys are\n%s\nwant\n%s", got, compareKeys)
		}
		var back struct {
			Schema int
			Runs   []struct{ Schema int }
		}
		if err := json.Unmarshal(buf.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		if back.Schema != 1 || len(back.Runs) != len(c.Runs) || len(back.Runs) > 0 && back.Runs[0].Schema != 1 {
			t.Errorf("schema and runs are %+v", back)
		}
	}
}

func TestCurvesInJSONAreShort(t *testing.T) {
	for _, n := range []int{0, 1, report.MostSamples, report.MostSamples + 1, 30_000} {
		r := bare("churn", report.OK, flatSeries(inUse, inUse+room, n))
		var buf bytes.Buffer
		if err := (report.JSON{}).PrintRun(&buf, &r); err != nil {
			t.Fatal(err)
		}
		var back struct{ Series []report.Sample }
		if err := json.Unmarshal(buf.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		if len(back.Series) > report.MostSamples || len(back.Series) < min(n, 4) {
			t.Errorf("%d samples became %d", n, len(back.Series))
		}
	}
}

func TestNumbersThatJSONCannotSayAreErrors(t *testing.T) {
	if err := (report.JSON{}).PrintCompare(io.Discard, broken()); err == nil {
		t.Error("a run of NaN fps was printed")
	}
}

// topKeys reads the keys of the outermost object in the order of the text.
func topKeys(t *testing.T, data []byte) string {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for dec.More() {
		k, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k.(string))
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(keys, " ")
}

func TestPrintingDoesNotChangeTheResult(t *testing.T) {
	r := outOfMemory()
	r.Series = nil
	if err := (report.JSON{}).PrintRun(&bytes.Buffer{}, r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != 0 || r.Series != nil || r.Budget.Transitions != nil {
		t.Errorf("printing changed the result: %+v", r)
	}
	for name, c := range samples() {
		for _, p := range []report.Printer{report.JSON{}, report.Text{}, report.HTML{}} {
			_ = p.PrintCompare(io.Discard, c) // JSON refuses one of them
		}
		if c.Schema != report.Schema || !reflect.DeepEqual(c.Findings, report.Judge(c.Runs)) {
			t.Errorf("%s: printing changed the result", name)
		}
	}
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteErrorsAreReported(t *testing.T) {
	for _, p := range []report.Printer{report.JSON{}, report.Text{}, report.HTML{}} {
		if err := p.PrintRun(closedWriter{}, finishedRun()); err == nil {
			t.Errorf("%T hides the error", p)
		}
		if err := p.PrintCompare(closedWriter{}, video()); err == nil {
			t.Errorf("%T hides the error of a comparison", p)
		}
	}
}
