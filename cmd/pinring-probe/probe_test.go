package main

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
)

// probed is what is looked at of probe's JSON.
type probed struct {
	Rows []struct {
		Kind                string
		Bytes               int64
		DeviceDelta         *int64   `json:"device_delta_bytes"`
		FreeMillis          float64  `json:"free_ms"`
		ReturnedAfterMillis *float64 `json:"returned_after_ms"`
		ResolutionMillis    float64  `json:"returned_resolution_ms"`
	}
}

// TestProbeOnDouble: the table has the double's charge to the byte, and its delay within the resolution
// that is stated, however busy the machine is: not back a look earlier, back at the time that is said. The
// double counts from within the free, the table from its end, so the free itself is allowed for.
func TestProbeOnDouble(t *testing.T) {
	s := driverdouble.Settings{Total: 8_000_000_000, Others: 900_000_000, Context: 450_000_000, ChargeSmall: 1016, ChargeLarge: 1050,
		Reclaim: 1200 * time.Millisecond, Kinds: []string{"pinned", "registered"}}
	r := run(t, &s, "", "probe", "--device", "cuda", "--sizes", "16MiB,64MiB", "--kinds", "pinned,pageable,registered,mapped", "--churn-frames", "0", "--json", "-")
	var p probed
	if err := json.Unmarshal([]byte(r.out), &p); err != nil || r.code != 0 || len(p.Rows) != 8 {
		t.Fatalf("exit %d, %v, %d rows\n%s%s", r.code, err, len(p.Rows), r.out, r.err)
	}
	delay := float64(s.Reclaim / time.Millisecond)
	for _, row := range p.Rows {
		charged := row.Kind == "pinned" || row.Kind == "registered"
		want := int64(0)
		if charged {
			want = s.Charge(row.Bytes)
		}
		if row.DeviceDelta == nil || *row.DeviceDelta != want {
			t.Errorf("%s, %d bytes: charged %v, want %d", row.Kind, row.Bytes, row.DeviceDelta, want)
		}
		if !charged {
			continue
		}
		switch b := row.ReturnedAfterMillis; {
		case b == nil:
			t.Errorf("%s, %d bytes: not back", row.Kind, row.Bytes)
		case *b+row.FreeMillis < delay || *b-row.ResolutionMillis > delay:
			t.Errorf("%s, %d bytes: back after %v ms, less %v; the free took %v; want %v ms", row.Kind, row.Bytes, *b, row.ResolutionMillis, row.FreeMillis, delay)
		}
	}
}

// TestMeminfoOnDouble: every source that this system has with the double is listed with what it says.
func TestMeminfoOnDouble(t *testing.T) {
	s := driverdouble.Settings{Total: 8_000_000_000, Others: 900_000_000}
	r := run(t, &s, "", "meminfo", "--device", "cuda")
	sources := []string{"cuMemGetInfo", "NVML", "900 MB  7.10 GB  8.00 GB"}
	if runtime.GOOS == "windows" {
		sources = append(sources, "GlobalMemoryStatusEx", "- DXGI: the driver tells no LUID")
	}
	for _, want := range sources {
		if r.code != 0 || !strings.Contains(r.out, want) {
			t.Errorf("exit %d, want %q in\n%s%s", r.code, want, r.out, r.err)
		}
	}
}

// TestMeminfoWithoutDriver: the host's RAM is told, and that it is all. What needs a device has none.
func TestMeminfoWithoutDriver(t *testing.T) {
	host := "MemAvailable"
	if runtime.GOOS == "windows" {
		host = "GlobalMemoryStatusEx"
		hideLibrary(t, "nvml.dll")
	}
	for _, args := range []string{"meminfo", "meminfo --json -"} {
		r := run(t, nil, "", strings.Fields(args)...)
		if r.code != 0 || !strings.Contains(r.out, host) || !strings.Contains(r.err, "no NVIDIA driver: ") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: exit %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
	for _, args := range []string{"meminfo --device cuda", "meminfo --pin 1MiB", "probe"} {
		if r := run(t, nil, "", strings.Fields(args)...); r.code != 7 || r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: exit %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
}

// TestWatchOnDouble: the exit code is the command's.
func TestWatchOnDouble(t *testing.T) {
	s := driverdouble.Settings{}
	self := command(t, &s).Path
	if r := run(t, &s, "", "watch", "--", self, "--no-such-flag"); r.code != 2 || !strings.Contains(strings.Join(strings.Fields(r.out), " "), "it ended with exit code 2") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
}

// TestDoctor ends with 0 with a card and without one, and says which it is.
func TestDoctor(t *testing.T) {
	for _, test := range []struct {
		double *driverdouble.Settings
		want   string
	}{{&driverdouble.Settings{}, "ready: an NVIDIA card can be used"}, {nil, "no NVIDIA card: CPU device"}} {
		double, want := test.double, test.want
		if double == nil && runtime.GOOS == "windows" {
			hideLibrary(t, "nvml.dll")
		}
		if r := run(t, double, "", "doctor"); r.code != 0 || !strings.Contains(r.out, want) || !strings.Contains(r.out, "recommended pinring.yaml") {
			t.Errorf("exit %d, want %q in\n%s%s", r.code, want, r.out, r.err)
		}
	}
}
