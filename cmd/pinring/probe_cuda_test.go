//go:build cuda && linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
	"github.com/pinring/pinring/report"
)

// asProgram is the program itself: it knows itself by its name.
func asProgram(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "pinring")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	return link
}

// onDriverDouble runs this program against the test double of the driver and returns standard output.
func onDriverDouble(t *testing.T, s driverdouble.Settings, args ...string) string {
	t.Helper()
	code, out, said := double(t, s, args...)
	if code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, said)
	}
	return out
}

// The same program says of one driver that it charges pinned memory, at which ratio and how late it
// came back, and of another that it does not: it is the measurement that tells.
func TestProbeMeasuresTheDriver(t *testing.T) {
	args := []string{"probe", "--sizes", "16MiB,64MiB", "--kinds", "pinned,pageable", "--churn-frames", "20", "--churn-rate", "100", "--quiet", "--json", "-"}
	for name, s := range map[string]driverdouble.Settings{
		"charging": {Total: 8e9, Others: 9e8, Context: 45e7, ChargeSmall: 1016, Reclaim: 600 * time.Millisecond},
		"free":     {Total: 8e9, Others: 9e8, Context: 45e7},
	} {
		t.Run(name, func(t *testing.T) {
			var p report.Probe
			if err := json.Unmarshal([]byte(onDriverDouble(t, s, args...)), &p); err != nil {
				t.Fatal(err)
			}
			want := "Pinned memory is not charged to video memory here: "
			if s.ChargeSmall > 0 {
				want = "Pinned memory is charged to video memory here: ratio 1.016, returned after "
			}
			if !strings.HasPrefix(*p.Verdict, want) {
				t.Errorf("verdict %q, want %q…", *p.Verdict, want)
			}
			if s.ChargeSmall > 0 {
				checkSaid(t, *p.Verdict, p.Rows)
			}
			sources := map[string]bool{}
			for _, x := range p.Sources {
				sources[x.Source] = true
			}
			if !sources["cuMemGetInfo"] || !sources["NVML"] || !sources["MemAvailable"] {
				t.Errorf("sources %v", sources)
			}
			for _, r := range p.Rows {
				charge := int64(0)
				if r.Kind == "pinned" {
					charge = s.Charge(r.Bytes)
				}
				for _, m := range r.Traces {
					if m.Domain == "local" && m.HeldBytes-m.BeforeBytes != charge {
						t.Errorf("%s of %d bytes, by %s: %d more, want %d", r.Kind, r.Bytes, m.Source, m.HeldBytes-m.BeforeBytes, charge)
					}
				}
				if charge > 0 {
					checkDelay(t, &r, s.Reclaim)
				}
			}
		})
	}
}

// checkSaid: the time in the verdict is that of the slowest pinned row.
func checkSaid(t *testing.T, verdict string, rows []report.ProbeRow) {
	t.Helper()
	slowest := 0.0
	for _, r := range rows {
		if r.Kind == "pinned" && r.ReturnedAfter != nil {
			slowest = max(slowest, *r.ReturnedAfter)
		}
	}
	_, said, _ := strings.Cut(verdict, "returned after ")
	d, err := time.ParseDuration(strings.TrimSuffix(strings.ReplaceAll(strings.SplitAfterN(said, "s", 2)[0], " ", ""), "."))
	if ms := float64(d) / 1e6; err != nil || ms < slowest*0.99-1 || ms > slowest*1.1+1 {
		t.Errorf("%q, the slowest took %.1f ms (%v)", verdict, slowest, err)
	}
}

// checkDelay: the double's delay lies within the resolution that the table states, on a machine as busy as can be.
// The double counts from within the free, the table from its end.
func checkDelay(t *testing.T, r *report.ProbeRow, delay time.Duration) {
	t.Helper()
	want := float64(delay) / 1e6
	if r.ReturnedAfter == nil || r.ReturnedWithin == nil || r.FreeMillis == nil ||
		*r.ReturnedAfter+*r.FreeMillis < want || *r.ReturnedAfter-*r.ReturnedWithin > want {
		t.Errorf("%d bytes: returned after %v (within %v), want %v ms", r.Bytes, r.ReturnedAfter, r.ReturnedWithin, want)
	}
}

func TestDoctorOnTheDouble(t *testing.T) {
	var d report.Doctor
	if err := json.Unmarshal([]byte(onDriverDouble(t, driverdouble.Settings{Total: 8e9}, "doctor", "--json", "-")), &d); err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, c := range d.Checks {
		text[c.Name] += c.Level + ": " + c.Text + "\n"
	}
	for name, want := range map[string]string{
		"driver library": "ok: it opens and shows 1 device", "driver version": "ok: 580.00", "CUDA": "ok: the driver supports up to 13.0",
		"PCIe link": "warning: Test Double (no GPU): generation 1 of 5 (an idle card lowers it), 8 of 16 lanes", "NVDEC": "warning: libnvcuvid.so.1",
	} {
		if !strings.HasPrefix(text[name], want) {
			t.Errorf("%s: %q, want %q", name, text[name], want)
		}
	}
	if d.Recommended == nil || !strings.Contains(d.Recommended.File, "max-pinned: ") || !strings.HasPrefix(d.Verdict, "ready") {
		t.Errorf("%s, %+v", d.Verdict, d.Recommended)
	}
}
