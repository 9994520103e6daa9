package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestSkipExistingDoesNotTrustOthers: an output that another run is writing is not yet there. When that
// run fails, is interrupted or is killed, this one makes the output; when it succeeds, not.
func TestSkipExistingDoesNotTrustOthers(t *testing.T) {
	for name, end := range map[string]func(p *process, rest []byte){
		"killed": func(p *process, _ []byte) { p.signal(os.Kill) },
		"fails":  func(p *process, rest []byte) { clear(rest[:len(rest)/2]); p.in.Write(rest); p.in.Close() },
		"done":   func(p *process, rest []byte) { p.in.Write(rest); p.in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for i := range 3 {
				clip(t, filepath.Join(dir, fmt.Sprintf("%d.mp4", i)), "160x120", "1")
			}
			out := filepath.Join(dir, "out", "1.mkv")
			if err := os.Mkdir(filepath.Dir(out), 0o755); err != nil {
				t.Fatal(err)
			}
			other := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", "-", "-o", out, "--preset", "ultrafast", "--on-error", "abort")
			input := smallInput(t, "in.ts", "testsrc2=s=320x240:r=25:d=2", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p")
			b, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			rest := b[len(b)/2:]
			go other.in.Write(b[:len(b)/2])
			other.awaitLine(" -> ")
			p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", filepath.Join(dir, "*.mp4"), "-o", filepath.Join(dir, "out", "{name}.mkv"),
				"--preset", "ultrafast", "--skip-existing")
			p.awaitLine("another run is writing")
			end(other, rest)
			if code := other.wait(); (code == exitDone) != (name == "done") {
				t.Errorf("the other run: exit code %d", code)
			}
			if name == "done" {
				p.awaitLine("skipped")
			}
			if code := p.wait(); code != exitDone {
				t.Errorf("exit code %d", code)
			}
			frames := 25
			if name == "done" {
				frames = 50 // it is the other's
			}
			if got := countFrames(t, out); got != frames {
				t.Errorf("the output has %d frames, want %d", got, frames)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "out", ".*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func countFrames(t *testing.T, file string) (n int) {
	t.Helper()
	b, err := exec.Command("ffprobe", "-v", "error", "-select_streams", "v:0", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", file).Output()
	if _, e := fmt.Sscan(string(b), &n); err != nil || e != nil {
		t.Fatalf("%s: %s, %v", file, b, err)
	}
	return n
}
