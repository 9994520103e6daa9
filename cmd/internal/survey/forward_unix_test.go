//go:build unix

package survey

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/report"
)

// A signal to the watcher reaches the command, which decides how it ends.
func TestWatchForwardsSignals(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		forwards(t, self, s)
	}
}

// forwards sends one signal to a watcher. It is in a session of its own, so that it has no terminal, which
// would have sent the command an interrupt by itself.
func forwards(t *testing.T, self string, s syscall.Signal) {
	watcher := exec.Command(self)
	watcher.Env = append(os.Environ(), "PINRING_TEST_CHILD=watch")
	watcher.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := watcher.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watcher.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	watcher.Process.Signal(s)
	var exit *exec.ExitError
	if err := watcher.Wait(); !errors.As(err, &exit) || exit.ExitCode() != int(s)+40 {
		t.Errorf("%v: %v, want the command's exit code %d", s, err, int(s)+40)
	}
}

// A command that a signal ended has the shells' exit code, and the signal's name in the result.
func TestWatchNamesTheSignal(t *testing.T) {
	out, _, err := invoke(t, "watch", "--json", "-", "--", "sh", "-c", "kill -9 $$")
	w := parsed[report.Watch](t, out)
	if code := cli.ExitCode(err); code != 137 || w.Signal == nil || *w.Signal != "killed" || *w.ExitCode != 137 {
		t.Errorf("exit code %d, %+v", code, w)
	}
	out, _, _ = invoke(t, "watch", "--", "sh", "-c", "kill -9 $$")
	if !strings.Contains(strings.Join(strings.Fields(out), " "), "it was ended by a signal: killed (exit code 137)") {
		t.Error(out)
	}
	out, _, _ = invoke(t, "watch", "--json", "-", "--", "sh", "-c", "exit 137")
	if w := parsed[report.Watch](t, out); w.Signal != nil {
		t.Errorf("no signal, and %q", *w.Signal)
	}
}
