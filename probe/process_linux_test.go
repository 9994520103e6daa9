package probe

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Memory that is locked shows in the process's own figures.
func TestReadProcess(t *testing.T) {
	before, err := ReadProcess(os.Getpid())
	if err != nil || before.Resident <= 0 || before.Locked < 0 || before.Pinned < 0 {
		t.Fatalf("%+v, %v", before, err)
	}
	const bytes = 64 << 10
	m, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(m)
	if err := unix.Mlock(m); err != nil {
		t.Skipf("no memory may be locked here: %v", err)
	}
	after, err := ReadProcess(os.Getpid())
	if err != nil || after.Locked-before.Locked != bytes {
		t.Errorf("%+v, then %+v, %v", before, after, err)
	}
	if name := ProcessName(os.Getpid()); !strings.HasPrefix("probe.test", name) || name == "" {
		t.Errorf("name %q", name)
	}
}

// A process that has ended is gone, waited for or not.
func TestReadProcessThatEnded(t *testing.T) {
	child := exec.Command("true")
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	pid := child.Process.Pid
	for {
		if _, err := ReadProcess(pid); err != nil {
			if !errors.Is(err, ErrNoProcess) {
				t.Error(err)
			}
			break
		}
	}
	child.Wait()
	if _, err := ReadProcess(pid); !errors.Is(err, ErrNoProcess) {
		t.Error(err)
	}
}

func FuzzStatus(f *testing.F) {
	f.Add([]byte("Name:\tx\nState:\tS (sleeping)\nVmLck:\t     0 kB\nVmPin:\t 12 kB\nVmRSS:\t  5 kB\n"))
	f.Add([]byte("State:\tZ\n"))
	f.Add([]byte("VmRSS: 99999999999999999999 kB\nVmLck: -1 kB\nVmPin: 1 MB"))
	f.Fuzz(func(t *testing.T, b []byte) {
		u, err := parseStatus(b)
		if err != nil && !errors.Is(err, ErrNoProcess) || u.Resident < -1 || u.Locked < -1 || u.Pinned < -1 {
			t.Errorf("%+v, %v", u, err)
		}
	})
}

// A process that /proc hides is not said to have ended.
func TestAHiddenProcess(t *testing.T) {
	if err := absent(os.Getpid()); !errors.Is(err, errHidden) {
		t.Errorf("this process: %v", err)
	}
	if err := absent(1<<22 + 1); !errors.Is(err, ErrNoProcess) { // beyond the greatest number there is
		t.Errorf("no process: %v", err)
	}
}
