package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallInput makes a small file, or skips the test.
func smallInput(t *testing.T, name string, args ...string) string {
	t.Helper()
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	out := filepath.Join(t.TempDir(), name)
	if text, err := exec.Command(ffmpeg, append(append([]string{"-v", "error", "-f", "lavfi", "-i"}, args...), out)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// pinring runs the program to its end and returns its exit code and what it said.
func pinring(t *testing.T, prepare func(*exec.Cmd), args ...string) (int, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Args[0] = "pinring"
	c.Env = append(os.Environ(), "PINRING_CONFIG=/dev/null", "PINRING_DEVICE=cpu")
	var talk strings.Builder
	c.Stderr = &talk
	if prepare != nil {
		prepare(c)
	}
	if err := c.Run(); c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), talk.String()
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// wantOutputFault checks exit code 6, one line that names the file and the frame, and a hint.
func wantOutputFault(t *testing.T, code int, talk, name, part string) {
	t.Helper()
	var faults []string
	for l := range strings.Lines(talk) {
		if strings.Contains(l, "cannot be written") {
			faults = append(faults, l)
		}
	}
	if code != exitOutput || len(faults) != 1 || !strings.Contains(faults[0], name) || !strings.Contains(faults[0], part) || strings.Count(talk, part) != 1 || !strings.Contains(talk, "hint: ") {
		t.Errorf("exit code %d, said:\n%s", code, talk)
	}
}

const noise = "nullsrc=s=320x240:r=25:d=4,geq=random(1)*255:128:128"

// A disk that is full before the first byte: small files notice it at the end only, where closing fails as
// finishing did. It is said once.
func TestFullFileSystem(t *testing.T) {
	in := smallInput(t, "in.mkv", noise, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("no right to mount: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	_ = os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 64<<10), 0o600) // as far as it goes
	for _, name := range []string{"out.mp4", "out.mkv", "out.ts"} {
		code, talk := pinring(t, nil, "run", in, "-o", filepath.Join(dir, name), "--frames", "1", "--crf", "51")
		wantOutputFault(t, code, talk, name, "no space left on device")
	}
	if left := names(t, dir); len(left) != 1 {
		t.Errorf("left over: %v", left)
	}
}

// TestSmallFileSystem fills a file system of one megabyte. Without the right to mount one, the limit on
// a file's size stands for it.
func TestSmallFileSystem(t *testing.T) {
	in := smallInput(t, "in.mkv", noise, "-c:v", "libx264", "-qp", "10", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no right to mount: %v (TestFileSizeLimit does without)", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	for _, name := range []string{"out.mp4", "out.mkv", "out.y4m", "f%05d.png"} {
		out := filepath.Join(dir, name)
		code, talk := pinring(t, nil, "run", in, "-o", out, "--vopt", "threads=1")
		part := strings.TrimSuffix(name, "%05d.png")
		wantOutputFault(t, code, talk, part, "no space left on device")
		for _, left := range names(t, dir) {
			if strings.HasPrefix(left, ".f%05d.png.") { // says that the sequence is unfinished
				continue
			}
			if !strings.HasSuffix(left, ".png") || strings.HasPrefix(left, ".") {
				t.Errorf("%s: left over: %s", name, left)
			}
			if text, err := exec.Command("ffmpeg", "-v", "error", "-xerror", "-i", filepath.Join(dir, left), "-f", "null", "-").CombinedOutput(); err != nil {
				t.Errorf("%s is no whole image: %s", left, text)
			}
		}
	}
}

func TestFileSizeLimit(t *testing.T) {
	in := smallInput(t, "in.mkv", noise, "-c:v", "libx264", "-qp", "10", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	code, talk := pinring(t, func(c *exec.Cmd) {
		c.Path, _ = exec.LookPath("sh")
		c.Args = []string{"sh", "-c", `ulimit -f 500; trap '' XFSZ; ln -s "$0" "$2/pinring"; exec "$2/pinring" run "$1" -o "$2/out.mkv"`, self, in, dir}
	})
	wantOutputFault(t, code, talk, "out.mkv", "file too large")
	if left := names(t, dir); len(left) != 1 {
		t.Errorf("left over: %v", left)
	}
}

// TestClosedPipe: the reader goes away.
func TestClosedPipe(t *testing.T) {
	in := smallInput(t, "in.mp4", "testsrc2=s=320x240:r=25:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	code, talk := pinring(t, func(c *exec.Cmd) { c.Stdout = w }, "run", in, "-o", "-")
	wantOutputFault(t, code, talk, "-", "broken pipe")
}

// TestPipeThatNobodyReads ends at the first signal.
func TestPipeThatNobodyReads(t *testing.T) {
	in := smallInput(t, "in.mp4", "testsrc2=s=320x240:r=25:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	fifo := filepath.Join(t.TempDir(), "pipe.y4m")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", in, "-o", fifo)
	p.awaitLine(" -> ")
	time.Sleep(200 * time.Millisecond) // the pipe fills; too short a time would only make the test weaker
	p.signal(os.Interrupt)
	if code := p.wait(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

// TestKilledRunIsSweptUp: a killed run leaves its temporary file and nothing else; the next one to
// the same output removes it.
func TestKilledRunIsSweptUp(t *testing.T) {
	in := smallInput(t, "in.ts", "testsrc2=s=320x240:r=25:d=2", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p")
	dir := t.TempDir()
	out := filepath.Join(dir, "out.mkv")
	p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", "-", "-o", out)
	go func() { // it stays open, and in a format that can be read from a pipe, so that the run cannot end by itself
		b, _ := os.ReadFile(in)
		p.in.Write(b)
	}()
	p.awaitLine(" -> ")
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.wait()
	left := names(t, dir)
	if len(left) != 1 || !strings.HasPrefix(left[0], ".out.mkv.") || !strings.HasSuffix(left[0], ".pinring-part") {
		t.Fatalf("the folder holds %v", left)
	}
	if code, talk := pinring(t, nil, "run", in, "-o", out, "--preset", "ultrafast"); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, talk)
	}
	if left := names(t, dir); len(left) != 1 || left[0] != "out.mkv" {
		t.Errorf("the folder holds %v", left)
	}
}

// TestSameOutputTwice: while one run writes, another to the same output is refused.
func TestSameOutputTwice(t *testing.T) {
	in := smallInput(t, "in.ts", "testsrc2=s=320x240:r=25:d=2", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p")
	dir := t.TempDir()
	out := filepath.Join(dir, "out.mp4")
	p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", "-", "-o", out, "--preset", "ultrafast")
	b, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	go p.in.Write(b)
	p.awaitLine(" -> ")
	if code, talk := pinring(t, nil, "run", in, "-o", out, "-y"); code != exitOutput || !strings.Contains(talk, "another run is writing it") {
		t.Errorf("exit code %d\n%s", code, talk)
	}
	p.signal(os.Interrupt)
	p.in.Close()
	p.wait()
	if left := names(t, dir); len(left) != 1 || left[0] != "out.mp4" {
		t.Errorf("the folder holds %v", left)
	}
	if text, err := exec.Command("ffmpeg", "-v", "error", "-xerror", "-i", out, "-f", "null", "-").CombinedOutput(); err != nil {
		t.Errorf("the first run's file is not whole: %s", text)
	}
}
