//go:build unix

package survey

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
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
