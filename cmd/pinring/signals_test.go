package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pinring/pinring/report"
)

func TestFirstSignalCancelsSecondExits(t *testing.T) {
	exited := make(chan int, 8)
	ctx, stop := interruptible(context.Background(), newTalk(io.Discard), func(code int) { exited <- code })
	defer stop()
	kill := func() {
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	kill()
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), errInterrupted) {
		t.Errorf("the cause is %v", context.Cause(ctx))
	}
	for { // at once it would be an echo of the first
		select {
		case code := <-exited:
			if code != exitInterrupted {
				t.Errorf("exit code %d", code)
			}
			return
		case <-time.After(20 * time.Millisecond):
			kill()
		}
	}
}

// The program as a process: the first signal ends it in good order, with its result as JSON.
func TestInterruptedProgramReports(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "result.json")
	p := launch(t, "rehearse", "PINRING_TEST_FAIL=process:wait", "run", "in.mp4", "--json", file)
	p.awaitLine("in.mp4: h264")
	p.signal(os.Interrupt)
	p.awaitLine("pinring: interrupted: finishing")
	if code := p.wait(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r report.Run
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.Outcome != report.Interrupted || r.ExitCode != exitInterrupted || r.Frames == nil {
		t.Errorf("the result is %s", data)
	}
}

func TestSecondSignalEndsAHungProgram(t *testing.T) {
	p := launch(t, "rehearse", "PINRING_TEST_FAIL=process:hang", "run", "in.mp4")
	p.awaitLine("in.mp4: h264")
	p.signal(syscall.SIGTERM)
	p.awaitLine("pinring: interrupted: finishing")
	time.Sleep(200 * time.Millisecond) // at once it would be an echo of the first
	p.signal(os.Interrupt)
	if code := p.wait(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

// process is the test program itself, run under the name of one of the programs that it holds.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	err *bufio.Scanner
}

func launch(t *testing.T, program, env string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: exec.Command(self, args...)}
	p.cmd.Args[0] = program
	p.cmd.Env = append(os.Environ(), "PINRING_CONFIG=/dev/null", env)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.err = bufio.NewScanner(stderr)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	return p
}

func (p *process) awaitLine(part string) {
	p.t.Helper()
	for p.err.Scan() {
		if strings.Contains(p.err.Text(), part) {
			return
		}
	}
	p.t.Fatalf("the program ended without saying %q", part)
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) wait() int {
	for p.err.Scan() { // to the end of stderr
	}
	p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}
