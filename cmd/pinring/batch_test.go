package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/report"
)

// clip makes a small file with FFmpeg's program, or skips.
func clip(t *testing.T, file, size, seconds string) string {
	t.Helper()
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	if out, err := exec.Command(ffmpeg, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s="+size+":r=25:d="+seconds,
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// many runs a command line with several inputs and returns its JSON result.
func many(t *testing.T, args ...string) (int, report.Batch) {
	t.Helper()
	t.Setenv("PINRING_CONFIG", os.DevNull)
	result := filepath.Join(t.TempDir(), "result.json")
	code := newApp(nowhere{}, nowhere{}, rooms).main(append(args, "--device", "cpu", "-q", "--json", result))
	var b report.Batch
	text, err := os.ReadFile(result)
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if err != nil || b.ExitCode != code {
		t.Fatalf("exit code %d, the JSON says %d: %v", code, b.ExitCode, err)
	}
	return code, b
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

// A thousand files in one process leave nothing behind: no descriptors, no memory.
func TestThousandFilesInOneProcess(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 {
		clip(t, filepath.Join(dir, fmt.Sprintf("%d.mp4", i)), fmt.Sprintf("%dx48", 64+16*i), "0.2")
	}
	listed := func(n int) string {
		var names strings.Builder
		for i := range n {
			fmt.Fprintln(&names, filepath.Join(dir, fmt.Sprintf("%d.mp4", i%4)))
		}
		file := filepath.Join(dir, "list")
		if err := os.WriteFile(file, []byte(names.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	run := func(n int) (allocs int64) {
		code, b := many(t, "run", "--list", listed(n), "--jobs", "2", "-f", "negate")
		if code != exitDone || b.Counts.Done != n {
			t.Fatalf("exit code %d, %s", code, b.Verdict)
		}
		for i := range b.Runs {
			for _, r := range []*report.Ring{b.Runs[i].HostMemory.Upload, b.Runs[i].HostMemory.Download} {
				if r == nil || r.Slots == 0 {
					t.Fatalf("%s tells of no slots", *b.Runs[i].InputPath)
				}
				allocs += r.Allocs
			}
		}
		return allocs
	}
	few := run(200) // what libraries make once is made
	files, memory := descriptors(t), resident(t)
	lot := run(1000)
	t.Logf("allocations of staging memory: %d with 200 files, %d with 1000", few, lot)
	if lot > few+60 { // in which order two jobs meet four sizes is chance; a file's slots are a dozen
		t.Errorf("%d allocations of staging memory with 200 files, %d with a thousand", few, lot)
	}
	if n := descriptors(t); n > files {
		t.Errorf("%d descriptors before, %d after a thousand files", files, n)
	}
	if n := resident(t); n > memory+32<<20 && !underRace { // a slot or a decoder left behind by each file would be more
		t.Errorf("%d bytes resident before, %d after a thousand files", memory, n)
	}
}

func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(entries)
}

func resident(t *testing.T) int64 {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	var all, pages int64
	fmt.Sscan(string(text), &all, &pages)
	return pages * int64(os.Getpagesize())
}

// A batch that is interrupted, or killed, is taken up again: what was done is whole and is not done
// again, what was not is done.
func TestBrokenOffBatchIsTakenUpAgain(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, os.Kill} {
		dir := t.TempDir()
		for i := range 6 {
			clip(t, filepath.Join(dir, fmt.Sprintf("%d.mp4", i)), "320x240", "2")
		}
		args := []string{"run", filepath.Join(dir, "*.mp4"), "-o", filepath.Join(dir, "out", "{name}.mkv"), "--jobs", "2", "--preset", "veryslow", "--skip-existing"} // slow, so that the signal comes in the middle
		p := launch(t, "pinring", "PINRING_DEVICE=cpu", args...)
		p.awaitLine("50 frames")
		p.signal(sig)
		code := p.wait()
		if sig == os.Interrupt && code != exitInterrupted {
			t.Errorf("interrupted: exit code %d", code)
		}
		if before := complete(t, dir, 50); before == 0 || before == 6 {
			t.Errorf("%v: %d outputs were there", sig, before)
		}
		p = launch(t, "pinring", "PINRING_DEVICE=cpu", args...)
		if code := p.wait(); code != exitDone {
			t.Errorf("taken up again after %v: exit code %d", sig, code)
		}
		if n := complete(t, dir, 50); n != 6 {
			t.Errorf("taken up again after %v: %d outputs", sig, n)
		}
	}
}

// complete counts the outputs, each of which must be whole: FFmpeg reads all frames, without a complaint.
// A part has a name that tells.
func complete(t *testing.T, dir string, frames int) (n int) {
	t.Helper()
	outputs, _ := filepath.Glob(filepath.Join(dir, "out", "*.mkv"))
	for _, o := range outputs {
		out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", o).CombinedOutput()
		got := strings.TrimSpace(string(out))
		switch {
		case strings.Contains(o, ".partial"):
			if read, e := strconv.Atoi(got); err != nil || e != nil || read >= frames {
				t.Errorf("the part %s: %s, %v", o, got, err)
			}
			continue
		case err != nil || got != fmt.Sprint(frames):
			t.Errorf("%s is not whole: %s, %v", o, got, err)
		}
		n++
	}
	return n
}

// Two processes on one folder: each output is made once, whole, and nobody fails.
func TestTwoProcessesOnOneFolder(t *testing.T) {
	dir := t.TempDir()
	for i := range 6 {
		clip(t, filepath.Join(dir, fmt.Sprintf("%d.mp4", i)), "320x240", "1")
	}
	var both sync.WaitGroup
	for range 2 {
		p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", filepath.Join(dir, "*.mp4"), "-o", filepath.Join(dir, "out", "{name}.mkv"),
			"--preset", "ultrafast", "--skip-existing")
		both.Go(func() {
			if code := p.wait(); code != exitDone {
				t.Errorf("exit code %d", code)
			}
		})
	}
	both.Wait()
	left, _ := filepath.Glob(filepath.Join(dir, "out", ".*"))
	if n := complete(t, dir, 25); n != 6 || len(left) > 0 {
		t.Errorf("%d outputs, and left behind: %v", n, left)
	}
}

// Real files, good and damaged, in one run: each has the exit code that it has alone.
func TestFolderOfRealFilesInOneRun(t *testing.T) {
	media := os.Getenv("PINRING_MEDIA")
	if media == "" {
		t.Skip("PINRING_MEDIA names no folder of real files")
	}
	code, b := many(t, "run", filepath.Join(media, "**", "*"), "--jobs", "2", "--frames", "5")
	if len(b.Runs) < 40 {
		t.Fatalf("%d inputs", len(b.Runs))
	}
	worst := exitDone
	for i := range b.Runs {
		got := &b.Runs[i]
		var said strings.Builder
		alone := newApp(nowhere{}, &said, rooms).main([]string{"run", *got.InputPath, "--device", "cpu", "-q", "--frames", "5"})
		if got.ExitCode != alone {
			t.Errorf("%s: exit code %d, alone %d\n%s", *got.InputPath, got.ExitCode, alone, said.String())
		}
		worst = worse(worst, alone)
	}
	if code != worst {
		t.Errorf("exit code %d, the worst is %d", code, worst)
	}
}

func TestWorseIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.SampledFrom(severity)
		a, b, c := code.Draw(t, "a"), code.Draw(t, "b"), code.Draw(t, "c")
		if w := worse(a, b); w != worse(b, a) || w != a && w != b || worse(a, worse(b, c)) != worse(worse(a, b), c) || worse(a, exitDone) != a {
			t.Errorf("worse(%d, %d) = %d", a, b, w)
		}
	})
}

// Places that differ in case only are one where the folder says so; here it does not.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("d", filepath.Join(dir, "l")); err != nil {
		t.Fatal(err)
	}
	if a, b := place(dir+"/l/new/x"), place(dir+"/d/new/x"); a != b {
		t.Errorf("%s, %s", a, b)
	}
	if foldsCase(dir) {
		t.Skip("this folder does not tell case apart")
	}
	if sameButForCase(place(dir+"/d/X"), place(dir+"/d/x")) {
		t.Error("X is taken for x")
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 2 {
		t.Errorf("the trial left %v", left)
	}
}
