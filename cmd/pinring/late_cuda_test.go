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

// onDouble is this program with the test double of the driver.
func onDouble(t *testing.T, s driverdouble.Settings, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(asProgram(t), args...)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+driverdouble.Build(t), s.Env(), "PINRING_CONFIG=/dev/null",
		"PINRING_RUNTIME_DIR="+filepath.Join(t.TempDir(), "run"))
	return cmd
}

// double runs it to its end.
func double(t *testing.T, s driverdouble.Settings, args ...string) (code int, out, said string) {
	t.Helper()
	cmd := onDouble(t, s, args...)
	var text, talk strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &talk
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), text.String(), talk.String()
}

// fed gives the program half of a file through a pipe, and the rest when it has said word.
func fed(t *testing.T, s driverdouble.Settings, file, word string, args ...string) (code int, out, talk string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cmd := onDouble(t, s, append([]string{"run", "-"}, args...)...)
	var text strings.Builder
	var heard sheet
	cmd.Stdout, cmd.Stderr = &text, &heard
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer in.Close()
		in.Write(data[:len(data)/2])
		for until := time.Now().Add(time.Minute); !strings.Contains(heard.String(), word) && time.Now().Before(until); {
			time.Sleep(time.Millisecond)
		}
		in.Write(data[len(data)/2:])
	}()
	<-ended
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), text.String(), heard.String()
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

// With --device auto the CPU does what comes before the card is there. The bytes are the same, no picture is copied
// on the host, and the result tells.
func TestCrossing(t *testing.T) {
	in := smallInput(t, "in.mkv", "testsrc2=s=320x180:r=25:d=8", "-c:v", "libx264", "-preset", "ultrafast")
	chain := []string{"-f", "scale=200:120,negate"}
	late := driverdouble.Settings{Arrive: 50 * time.Millisecond}
	_, want, _ := double(t, late, append([]string{"run", in, "--device", "cpu", "-o", "md5:"}, chain...)...)
	const there = "device: cuda:0 Test Double"
	code, got, talk := fed(t, late, in, there, append(chain, "-o", "md5:")...)
	if code != 0 || got != want || strings.Count(got, "\n") < 200 {
		t.Errorf("exit %d, %s\n%d bytes, want %d", code, talk, len(got), len(want))
	}
	code, got, talk = fed(t, late, in, there, append(chain, "--json", "-")...)
	var r report.Run
	if err := json.Unmarshal([]byte(got), &r); code != 0 || err != nil {
		t.Fatalf("exit %d, %v, %s", code, err, talk)
	}
	if n := r.Device.FromFrame; r.Device.Kind != "cuda" || n == nil || *n < 1 || *n > 199 {
		t.Fatalf("device %+v, want a card that came in the middle; %s", *r.Device, talk)
	}
	if f := r.Frames; f.Delivered != 200 || f.OutsideSlots != 0 || f.CopiedToSlot != 0 || f.Discarded != 0 {
		t.Errorf("frames %+v", *f)
	}
	if u, d := r.HostMemory.Upload, r.HostMemory.Download; u.Slots < 10 || d.Slots < 8 || u.Frees != 0 {
		t.Errorf("upload %+v, download %+v", *u, *d)
	}
}

// A run that is over before the card comes does not wait for it.
func TestOverBeforeTheCard(t *testing.T) {
	in := smallInput(t, "in.mkv", "testsrc2=s=320x180:r=25:d=1", "-c:v", "libx264")
	code, got, said := double(t, driverdouble.Settings{Arrive: time.Hour}, "run", "--json", "-", in)
	var r report.Run
	if err := json.Unmarshal([]byte(got), &r); code != 0 || err != nil {
		t.Fatalf("exit %d, %v, %s", code, err, said)
	}
	if r.Device.Kind != "cpu" || r.Device.FromFrame != nil || r.Frames.Delivered != 25 {
		t.Errorf("device %+v, frames %+v", *r.Device, *r.Frames)
	}
}

// A card that is there and cannot be had leaves the run on the CPU, unless it was asked for.
func TestNoContextToBeHad(t *testing.T) {
	in := smallInput(t, "in.mkv", "testsrc2=s=320x180:r=25:d=4", "-c:v", "libx264", "-preset", "ultrafast")
	refused := driverdouble.Settings{Fail: []string{"cuDevicePrimaryCtxRetain:1:46"}}
	_, want, _ := double(t, refused, "run", "--device", "cpu", "-o", "md5:", in)
	for call, s := range map[string]driverdouble.Settings{
		"cuDevicePrimaryCtxRetain": refused,
		"cuMemHostRegister":        {Fail: []string{"cuMemHostRegister:3"}},
		"cuModuleLoadDataEx":       {Fail: []string{"cuModuleLoadDataEx:1:218"}},
	} {
		code, got, talk := fed(t, s, in, "the run stays on the CPU", "-o", "md5:")
		if code != 0 || got != want || !strings.Contains(talk, "the run stays on the CPU") || !strings.Contains(talk, call) {
			t.Errorf("%s: exit %d, %s\n%d bytes, want %d", call, code, talk, len(got), len(want))
		}
	}
	dir := t.TempDir()
	code, _, talk := double(t, refused, "run", "--device", "cuda", "-o", filepath.Join(dir, "out.mkv"), in)
	if code != exitDevice || !strings.Contains(talk, "cuDevicePrimaryCtxRetain") || !strings.Contains(talk, "--device auto") {
		t.Errorf("exit %d, %s", code, talk)
	}
	if left := names(t, dir); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
