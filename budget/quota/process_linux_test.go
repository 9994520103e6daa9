package quota

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	dirEnv = "PINRING_TEST_QUOTA_DIR"
	logEnv = "PINRING_TEST_QUOTA_LOG"
	limit  = 256 * mib
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(dirEnv); dir != "" {
		if err := child(dir, os.Getenv(logEnv)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child is a process with a ring: it says in a log what it has, grows after it was allowed to and
// shrinks before it says so to the quota. For each line on its input it rebalances once.
func child(dir, logPath string) error {
	log, err := os.OpenFile(logPath, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	has := func(n int64) { fmt.Fprintf(log, "%d %d\n", os.Getpid(), n) }
	s, err := Acquire(context.Background(), dir, Request{Cap: limit, Want: 100 * mib, Min: mib})
	if err != nil {
		return err
	}
	has(s.Granted())
	fmt.Println("granted", s.Granted())
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		now, target, err := s.Rebalance()
		if err != nil {
			return err
		}
		if target < now {
			has(target)
			if err := s.Shrink(target); err != nil {
				return err
			}
		} else {
			has(now)
		}
		fmt.Println("granted", s.Granted())
	}
	has(0)
	return s.Close()
}

// process is a child seen from outside.
type process struct {
	cmd *exec.Cmd
	in  interface{ Write([]byte) (int, error) }
	out *bufio.Scanner
	end func() error
}

func start(t *testing.T, dir, log string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), dirEnv+"="+dir, logEnv+"="+log)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return &process{cmd: cmd, in: in, out: bufio.NewScanner(out), end: in.Close}
}

// granted is the child's next answer.
func (p *process) granted(t *testing.T) int64 {
	t.Helper()
	if !p.out.Scan() {
		t.Fatal("the child has ended")
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(p.out.Text(), "granted "), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (p *process) rebalance(t *testing.T) int64 {
	t.Helper()
	fmt.Fprintln(p.in)
	return p.granted(t)
}

// Four processes that want 400 MiB of 256: each gets less, none fails, the sum never passes the cap,
// and a killed one gives its part back.
func TestProcesses(t *testing.T) {
	dir, log := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	observer := observe(t, dir)
	var all []*process
	for range 4 {
		p := start(t, dir, log)
		if p.granted(t) < mib {
			t.Error("a process got nothing")
		}
		all = append(all, p)
	}
	for range 4 { // each needs a turn after the others have made room
		for _, p := range all {
			p.rebalance(t)
		}
	}
	for i, p := range all {
		if got := p.rebalance(t); got != limit/4 {
			t.Errorf("process %d has %d, want %d", i, got, limit/4)
		}
	}

	// Stopped first, so that its last line in the log comes before the others' growth.
	kill(t, all[0], log)
	begun := time.Now()
	for range 3 {
		for _, p := range all[1:] {
			p.rebalance(t)
		}
	}
	for i, p := range all[1:] {
		if got := p.rebalance(t); got != limit/3 {
			t.Errorf("after the kill process %d has %d, want %d", i+1, got, limit/3)
		}
	}
	t.Logf("the killed process's part was taken over in %v", time.Since(begun))
	for _, p := range all[1:] {
		p.end()
		if err := p.cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if most, samples := observer(); most > limit || samples == 0 {
		t.Errorf("an observer saw %d of %d in %d samples", most, limit, samples)
	} else {
		t.Logf("an observer saw at most %d of %d bytes in %d samples", most, limit, samples)
	}
	replay(t, log)
}

// observe samples what is granted until the returned function is called.
func observe(t *testing.T, dir string) func() (most int64, samples int) {
	stop := make(chan struct{})
	type result struct {
		most    int64
		samples int
	}
	done := make(chan result)
	go func() {
		var r result
		for {
			select {
			case <-stop:
				done <- r
				return
			default:
			}
			u, err := Survey(dir)
			if err != nil {
				t.Error(err)
			}
			r.most, r.samples = max(r.most, u.Granted), r.samples+1
			time.Sleep(time.Millisecond) // lets the others have the lock
		}
	}()
	return func() (int64, int) {
		close(stop)
		r := <-done
		return r.most, r.samples
	}
}

// replay adds up what the processes said that they had, in the order in which they said it.
func replay(t *testing.T, log string) {
	t.Helper()
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	has := map[int]int64{}
	lines := 0
	for line := range strings.Lines(string(b)) {
		var pid int
		var n int64
		if _, err := fmt.Sscanf(line, "%d %d", &pid, &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		has[pid] = n
		lines++
		var sum int64
		for _, n := range has {
			sum += n
		}
		if sum > limit {
			t.Fatalf("after line %d the processes have %d of %d bytes", lines, sum, limit)
		}
	}
	t.Logf("the processes' own account has %d lines", lines)
}

// kill stops a child, notes that it has nothing any more, and kills it with SIGKILL.
func kill(t *testing.T, p *process, log string) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "%d 0\n", p.cmd.Process.Pid)
	f.Close()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.cmd.Wait()
}
