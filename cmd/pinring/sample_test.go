package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinring/pinring/report"
)

// inProcess runs a command line within the test and returns its JSON result.
func inProcess(t *testing.T, args ...string) (code int, r report.Run) {
	t.Helper()
	t.Setenv("PINRING_CONFIG", os.DevNull)
	result := filepath.Join(t.TempDir(), "result.json")
	var out, err bytes.Buffer
	code = newApp(&out, &err, rooms).main(append(args, "--json", result))
	text, e := os.ReadFile(result)
	if e == nil {
		e = json.Unmarshal(text, &r)
	}
	if e != nil {
		t.Fatalf("%v\n%s%s", e, &out, &err)
	}
	if r.ExitCode != code {
		t.Errorf("exit code %d, but the JSON says %d", code, r.ExitCode)
	}
	return code, r
}

// The sample through the ring, with as few, as many, and more decoder threads than cores: every
// picture lands in a lent slot, every slot is allocated once and none is freed. Under an emulated card
// with room for all, so that pictures outside of slots would have to be copied.
func TestSampleThroughTheRing(t *testing.T) {
	for _, threads := range []string{"1", "2", "8"} {
		code, r := inProcess(t, "run", filepath.Join("..", "..", "samples", "sample.mp4"), "--device", "cpu", "--frames", "120",
			"--decoder-threads", threads, "--emulate", "card-24g", "--max-pinned", "1GiB", "-f", "scale=640:360",
			"-o", filepath.Join(t.TempDir(), "out.mp4"), "--preset", "veryfast", "--no-audio")
		if code != exitDone {
			t.Fatalf("%s threads: exit code %d: %+v", threads, code, r.Error)
		}
		up, down := r.HostMemory.Upload, r.HostMemory.Download
		if r.Frames.Delivered != 120 || r.Frames.CopiedToSlot != 0 || r.Frames.OutsideSlots != 0 {
			t.Errorf("%s threads: frames %+v", threads, *r.Frames)
		}
		if int64(up.Slots) != up.Allocs || up.Frees != 0 || int64(down.Slots) != down.Allocs || down.Frees != 0 || up.SlotBytes%4096 != 0 {
			t.Errorf("%s threads: upload %+v, download %+v", threads, *up, *down)
		}
		if *r.InFlightMax < 3 {
			t.Errorf("%s threads: at most %d frames in flight", threads, *r.InFlightMax)
		}
	}
}

// Packets that the decoder can make nothing of cost frames, not the run.
func TestDamagedFileEndsWithLostFrames(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join("..", "..", "samples", "sample.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	for i := len(whole) / 3; i < len(whole)/3+20000; i++ {
		whole[i] = byte(i * 7)
	}
	damaged := filepath.Join(t.TempDir(), "damaged.mp4")
	if err := os.WriteFile(damaged, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	code, r := inProcess(t, "run", damaged, "--device", "cpu")
	if code != exitLost || r.Outcome != report.Lost || r.Frames.Undecodable == 0 || r.Frames.Delivered < 500 {
		t.Errorf("exit code %d, %s, frames %+v", code, r.Outcome, r.Frames)
	}
}
