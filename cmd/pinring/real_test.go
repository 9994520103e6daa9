package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestReal runs sessions with the real workshop on small files that FFmpeg's program makes from its
// synthetic sources. They run on the CPU device, so that they mean the same on every machine.
func TestReal(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the inputs")
	}
	dir := t.TempDir()
	make := func(name string, args ...string) {
		t.Helper()
		args = append(append([]string{"-v", "error", "-y"}, args...), filepath.Join(dir, name))
		if out, err := exec.Command(ffmpeg, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	make("av.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2",
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac")
	make("hd.mp4", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30:d=0.6", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	make("sound.wav", "-f", "lavfi", "-i", "sine=d=0.1")
	makeHostile(t, dir, make)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/real",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PINRING_CONFIG", "/dev/null")
			e.Setenv("PINRING_DEVICE", "cpu")
			e.Setenv("MEDIA", dir)
			return nil
		},
	})
}

// An interrupted run leaves a file that is complete, though short. The input comes through a pipe
// that stays open, so that the run cannot end by itself before the signal comes.
func TestInterruptedRunLeavesACompleteFile(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	input, err := exec.Command(ffmpeg, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=8",
		"-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p", "-f", "mpegts", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	output := filepath.Join(t.TempDir(), "out.mp4")
	p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", "-", "-o", output, "--preset", "ultrafast")
	written := make(chan struct{})
	go func() {
		defer close(written)
		p.in.Write(input) // ends early when the program does
	}()
	p.awaitLine(" -> ")
	<-written // all has been taken, so frames are on their way
	p.signal(os.Interrupt)
	p.awaitLine("pinring: interrupted: finishing")
	p.in.Close()
	if code := p.wait(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	if out, err := exec.Command(ffmpeg, "-v", "error", "-i", output, "-f", "null", "-").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("the file is not complete: %v\n%s", err, out)
	}
}

// An interrupt ends a run that the guard holds, on either clock.
func TestInterruptWhileTheGuardHolds(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	input := filepath.Join(t.TempDir(), "hd.mp4")
	if out, err := exec.Command(ffmpeg, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30:d=0.6", "-c:v", "libx264",
		"-preset", "ultrafast", "-pix_fmt", "yuv420p", input).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, clock := range []string{"clock=wall,reclaim=1h", "pressure=2GB@1s+900000s"} {
		p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", input, "--source", "memory", "--frames", "100000", "--staging", "churn",
			"--staging-format", "rgb24", "--emulate", "article-video,headroom=300MB,"+clock)
		p.awaitLine("→ throttle")
		p.signal(os.Interrupt)
		if code := p.wait(); code != exitInterrupted {
			t.Errorf("%s: exit code %d", clock, code)
		}
	}
}

// A pipe that gives nothing does not hold up an interrupt.
func TestInterruptWhileThePipeIsSilent(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	input, err := exec.Command(ffmpeg, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=8",
		"-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p", "-f", "mpegts", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	p := launch(t, "pinring", "PINRING_DEVICE=cpu", "run", "-")
	written := make(chan struct{})
	go func() {
		defer close(written)
		p.in.Write(input) // ends early when the program does
	}()
	p.awaitLine(" -> ")
	<-written
	p.signal(os.Interrupt) // the pipe stays open
	if code := p.wait(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
}
