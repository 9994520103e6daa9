package survey

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/report"
)

// child is the command that is watched: it takes memory, exits with a code, or waits for a signal.
func child(act string) int {
	what, value, _ := strings.Cut(act, ":")
	n, _ := strconv.Atoi(value)
	switch what {
	case "exit":
		return n
	case "take": // MiB, for half a second
		b := make([]byte, n<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		time.Sleep(500 * time.Millisecond)
		runtime.KeepAlive(b)
		return 0
	case "signal":
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		fmt.Println("ready")
		return int((<-c).(syscall.Signal)) + 40
	case "watch": // this program, watching one that waits for a signal
		return watchedChild()
	}
	return 99
}

func watchedChild() int {
	self, _ := os.Executable()
	os.Setenv("PINRING_TEST_CHILD", "signal")
	c := &watching{Program: &Program{Out: os.Stderr, Say: func(string, ...any) {}}, settings: &settings{quiet: true}, every: 10 * time.Millisecond}
	return cli.ExitCode(c.run(context.Background(), []string{self}))
}

func TestWatchPassesTheExitCodeOn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []int{0, 3, 77} {
		t.Setenv("PINRING_TEST_CHILD", fmt.Sprintf("exit:%d", code))
		out, _, err := invoke(t, "watch", "--json", "-", "--", self)
		if got := cli.ExitCode(err); got != code {
			t.Errorf("exit code %d, want %d: %v", got, code, err)
		}
		if w := parsed[report.Watch](t, out); w.ExitCode == nil || *w.ExitCode != code || w.PID <= 0 {
			t.Errorf("%+v", w)
		}
	}
}

// A command that cannot be started is an error, and no life to tell of.
func TestWatchACommandThatIsNotThere(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	out, _, err := invoke(t, "watch", "--report", page, "--", filepath.Join(t.TempDir(), "no-such-program"))
	if code := cli.ExitCode(err); code != cli.ExitInput || out != "" || !strings.Contains(err.Error(), "no-such-program") {
		t.Errorf("exit code %d, %v\n%s", code, err, out)
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("a page was written")
	}
}

// The process's own memory is seen to grow.
func TestWatchSeesTheProcess(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PINRING_TEST_CHILD", "take:64")
	out, _, err := invoke(t, "watch", "--every", "5ms", "--json", "-", "--", self)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range parsed[report.Watch](t, out).Lines {
		if l.Name == "resident" {
			if l.Peak < 64<<20 || l.Peak > 1<<30 || len(l.Points) < 2 {
				t.Errorf("%+v", l)
			}
			return
		}
	}
	t.Error("nothing of the process was seen")
}

// A process of somebody else is watched to its end.
func TestWatchAProcess(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command(self)
	other.Env = append(os.Environ(), "PINRING_TEST_CHILD=take:8")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	go other.Wait()
	out, _, err := invoke(t, "watch", "--pid", strconv.Itoa(other.Process.Pid), "--every", "10ms", "--json", "-")
	if w := parsed[report.Watch](t, out); err != nil || w.ExitCode != nil || !w.Ended || w.PID != other.Process.Pid || w.Program == "" || len(w.Lines) == 0 {
		t.Errorf("%v, %+v", err, w)
	}
}

// A life of any length gives curves of a limited one.
func TestCurvesAreBounded(t *testing.T) {
	w := &curves{began: time.Now(), step: 1, pid: os.Getpid()}
	for range 3 * report.MostSamples {
		w.read()
	}
	for _, l := range w.lines {
		if n := len(l.Points); n > report.MostSamples || n < report.MostSamples/4 {
			t.Errorf("%s: %d points", l.Name, n)
		}
	}
}

// A result that cannot be written does not hide that the command failed, and is told of.
func TestWatchAFailureOnAFullDisk(t *testing.T) {
	const full = "/dev/full"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	for _, code := range []int{0, 3} {
		t.Setenv("PINRING_TEST_CHILD", fmt.Sprintf("exit:%d", code))
		_, _, err := invoke(t, "watch", "--json", full, "--", self)
		want := code
		if code == 0 {
			want = cli.ExitOutput
		}
		var said strings.Builder
		cli.NewTalk("test", &said).Fail(err)
		if got := cli.ExitCode(err); got != want || !strings.HasPrefix(said.String(), "test: the result as JSON cannot be written: write /dev/full") {
			t.Errorf("the command ended with %d: exit code %d, want %d, and %q", code, got, want, said.String())
		}
	}
}
