package probe

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// ReadProcess asks for a process's memory (/proc/PID/status). A process that has ended and was not
// waited for is gone already.
func ReadProcess(pid int) (Usage, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return Usage{}, absent(pid)
	}
	if err != nil {
		return Usage{}, err
	}
	return parseStatus(b)
}

// errHidden is a process that runs and that /proc does not show.
var errHidden = errors.New("it runs, but /proc does not show it: it is another user's, and /proc is mounted with hidepid, or not at all")

// absent tells a process that has ended from one that is not shown.
func absent(pid int) error {
	if err := syscall.Kill(pid, 0); err == nil || errors.Is(err, syscall.EPERM) {
		return errHidden
	}
	return ErrNoProcess
}

// ProcessName is the name of a process's program.
func ProcessName(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(b))
}

// parseStatus reads lines such as "VmRSS:	    1234 kB". A zombie has none of them.
func parseStatus(b []byte) (Usage, error) {
	u := Usage{Resident: -1, Locked: -1, Pinned: -1}
	for line := range bytes.Lines(b) {
		name, rest, _ := bytes.Cut(line, []byte(":"))
		rest = bytes.TrimSpace(rest)
		switch string(name) {
		case "State":
			if len(rest) > 0 && (rest[0] == 'Z' || rest[0] == 'X') {
				return u, ErrNoProcess
			}
		case "VmRSS":
			u.Resident = kilobytes(rest)
		case "VmLck":
			u.Locked = kilobytes(rest)
		case "VmPin":
			u.Pinned = kilobytes(rest)
		}
	}
	return u, nil
}

// kilobytes reads "1234 kB", -1 when it cannot.
func kilobytes(b []byte) int64 {
	digits, ok := bytes.CutSuffix(b, []byte(" kB"))
	n, err := strconv.ParseInt(string(bytes.TrimSpace(digits)), 10, 64)
	if !ok || err != nil || n < 0 || n > 1<<50 {
		return -1
	}
	return n * 1024
}
