package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A sequence of images that was broken off is unfinished: --skip-existing makes it anew, other runs refuse to
// mix with it, and once it is complete nothing tells of the run that was broken off.
func TestUnfinishedSequences(t *testing.T) {
	in := smallInput(t, "in.mp4", "testsrc2=s=320x240:r=25:d=8", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	other := smallInput(t, "other.mp4", "testsrc2=s=64x48:r=25:d=0.2", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	for _, sig := range []os.Signal{os.Interrupt, os.Kill} {
		t.Run(sig.String(), func(t *testing.T) {
			dir := t.TempDir()
			out := filepath.Join(dir, "{name}-%05d.png")
			batch := []string{"run", in, other, "-o", out, "--skip-existing"}
			p := launch(t, "pinring", "PINRING_DEVICE=cpu", batch...)
			awaitFile(t, filepath.Join(dir, "in-00003.png"))
			p.signal(sig)
			if code := p.wait(); code != exitInterrupted && sig == os.Interrupt {
				t.Errorf("exit code %d", code)
			}
			before := images(t, dir, "in-")
			if before < 3 || before == 200 {
				t.Fatalf("%d images were made", before)
			}
			code, talk := pinring(t, nil, "run", in, "-o", strings.ReplaceAll(out, "{name}", "in"))
			if code != exitOutput || !strings.Contains(talk, "of a run that did not finish") || images(t, dir, "in-") != before {
				t.Errorf("into the unfinished sequence: exit code %d\n%s", code, talk)
			}
			if code, talk = pinring(t, nil, batch...); code != exitDone || images(t, dir, "in-") != 200 || images(t, dir, "other-") != 5 {
				t.Errorf("taken up again: exit code %d, %d images\n%s", code, images(t, dir, "in-"), talk)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if code, talk = pinring(t, nil, batch...); code != exitDone || strings.Count(talk, "skipped") != 2 {
				t.Errorf("once more: exit code %d\n%s", code, talk)
			}
		})
	}
	t.Run("damage", func(t *testing.T) { // a run that fails leaves it unfinished, too
		b, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		bad := filepath.Join(dir, "bad.mp4")
		clear(b[len(b)/2 : len(b)/2+3000])
		if err := os.WriteFile(bad, b, 0o600); err != nil {
			t.Fatal(err)
		}
		run := []string{"run", bad, "-o", filepath.Join(dir, "%05d.png"), "--skip-existing"}
		if code, talk := pinring(t, nil, append(run, "--on-error", "abort")...); code != exitInput || images(t, dir, "0") == 0 {
			t.Fatalf("exit code %d\n%s", code, talk)
		}
		if code, talk := pinring(t, nil, run...); code != exitLost && code != exitDone || strings.Contains(talk, "skipped") {
			t.Errorf("exit code %d\n%s", code, talk)
		}
		if code, talk := pinring(t, nil, run...); code != exitDone || !strings.Contains(talk, "skipped") {
			t.Errorf("once more: exit code %d\n%s", code, talk)
		}
	})
}

// Two runs do not write one sequence at the same time.
func TestSameSequenceTwice(t *testing.T) {
	in := smallInput(t, "in.ts", "testsrc2=s=320x240:r=25:d=2", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p")
	dir := t.TempDir()
	out := filepath.Join(dir, "%05d.png")
	p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", "-", "-o", out)
	b, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	go p.in.Write(b)
	awaitFile(t, filepath.Join(dir, "00001.png"))
	if code, talk := pinring(t, nil, "run", in, "-o", out, "-y"); code != exitOutput || !strings.Contains(talk, "another run is writing it") {
		t.Errorf("exit code %d\n%s", code, talk)
	}
	p.signal(os.Interrupt)
	p.in.Close()
	if code := p.wait(); code != exitInterrupted {
		t.Errorf("the first run: exit code %d", code)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 { // a single run keeps what it has: it is not taken up again
		t.Errorf("left behind: %v", left)
	}
}

func images(t *testing.T, dir, begin string) (n int) {
	t.Helper()
	for _, name := range names(t, dir) {
		if strings.HasPrefix(name, begin) && strings.HasSuffix(name, ".png") {
			n++
		}
	}
	return n
}

func awaitFile(t *testing.T, file string) {
	t.Helper()
	for range 3000 { // half a minute; nothing is judged by how long it takes
		if _, err := os.Stat(file); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not come", file)
}
