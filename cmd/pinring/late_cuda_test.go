//go:build cuda && linux

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
	"github.com/pinring/pinring/report"
)

// double runs this program against the test double of the driver.
func double(t *testing.T, s driverdouble.Settings, args ...string) (code int, out, said string) {
	t.Helper()
	cmd := exec.Command(asProgram(t), args...)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+driverdouble.Build(t), s.Env(), "PINRING_CONFIG=/dev/null",
		"PINRING_RUNTIME_DIR="+filepath.Join(t.TempDir(), "run"))
	var text, talk strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &talk
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), text.String(), talk.String()
}

// Pictures that were decoded before there was a context lie in slots like all others, and come out the same.
func TestDecodedBeforeTheContext(t *testing.T) {
	in := smallInput(t, "in.mkv", "testsrc2=s=320x180:r=25:d=3", "-c:v", "libx264")
	chain := []string{"-f", "scale=200:100,negate"}
	_, want, _ := double(t, driverdouble.Settings{}, append([]string{"run", "--device", "cpu", "-o", "md5:", in}, chain...)...)
	late := driverdouble.Settings{Arrive: 700 * time.Millisecond}
	code, got, said := double(t, late, append([]string{"run", "--device", "cuda", "-o", "md5:", in}, chain...)...)
	if code != 0 || got != want || strings.Count(got, "\n") < 75 {
		t.Errorf("exit %d, %s\ngot\n%s\nwant\n%s", code, said, got, want)
	}
	code, got, said = double(t, late, append([]string{"run", "--device", "cuda", "--json", "-", in}, chain...)...)
	var r report.Run
	if err := json.Unmarshal([]byte(got), &r); code != 0 || err != nil {
		t.Fatalf("exit %d, %v, %s", code, err, said)
	}
	if r.Frames.OutsideSlots != 0 || r.Frames.Delivered != 75 || r.HostMemory.Upload.Allocs < 10 {
		t.Errorf("frames %+v, upload %+v", *r.Frames, r.HostMemory.Upload)
	}
}

// A card that is there and cannot be had is as if it were not there, unless it was asked for.
func TestNoContextToBeHad(t *testing.T) {
	in := smallInput(t, "in.mkv", "testsrc2=s=320x180:r=25:d=1", "-c:v", "libx264")
	s := driverdouble.Settings{Arrive: 300 * time.Millisecond, Fail: []string{"cuDevicePrimaryCtxRetain:1:46"}}
	_, want, _ := double(t, s, "run", "--device", "cpu", "-o", "md5:", in)
	code, got, said := double(t, s, "run", "-o", "md5:", in)
	if code != 0 || got != want || !strings.Contains(said, "cuDevicePrimaryCtxRetain") || !strings.Contains(said, "device: cpu") {
		t.Errorf("exit %d, %s\ngot\n%s\nwant\n%s", code, said, got, want)
	}
	dir := t.TempDir()
	code, _, said = double(t, s, "run", "--device", "cuda", "-o", filepath.Join(dir, "out.mkv"), in)
	if code != exitDevice || !strings.Contains(said, "cuDevicePrimaryCtxRetain") || !strings.Contains(said, "--device auto") {
		t.Errorf("exit %d, %s", code, said)
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	stdin := exec.Command("cat", in) // what cannot be read twice waits for the card
	pipe, err := stdin.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(asProgram(t), "run", "-o", "md5:", "-")
	cmd.Stdin = pipe
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+driverdouble.Build(t), s.Env(), "PINRING_CONFIG=/dev/null")
	if err := stdin.Start(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.Output()
	if err != nil || string(out) != want {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, out, want)
	}
	_ = stdin.Wait()
}
