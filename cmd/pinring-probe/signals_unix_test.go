//go:build unix

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
)

// TestInterrupt: the first signal ends the program in order, with exit code 130.
func TestInterrupt(t *testing.T) {
	cmd := command(t, &driverdouble.Settings{}, "compare", "--device", "cuda", "--frames", "1000000", "--modes", "reuse")
	talk, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(talk)
	if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "device: cuda:0") {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 || !strings.Contains(string(rest), "interrupted: finishing") {
		t.Errorf("%v\n%s", err, string(rest))
	}
}

// A pipe into which nobody writes holds the program up, and the first signal still ends it.
func TestInterruptWhileReadingAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"compare", name}, {"probe", "--emulate", "card-24g", "--baseline", name},
		{"doctor", "--config", name}, {"compare", "--config", name}} {
		cmd := command(t, nil, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pipe, err := os.OpenFile(name, os.O_WRONLY, 0) // returns when the program has opened it, too
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // the exit code is looked at
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%v: exit code %d", args, code)
		}
		pipe.Close()
	}
}
