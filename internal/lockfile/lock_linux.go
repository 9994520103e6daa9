package lockfile

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Commands of fcntl, from Linux' include/uapi/asm-generic/fcntl.h; package syscall lacks them.
const (
	ofdGetLock = 36
	ofdSetLock = 37
)

// TryLock takes the exclusive lock, and reports false when somebody else has it. The lock ends when
// f is closed. f must be open for writing.
func TryLock(f *os.File) (bool, error) {
	lk := wholeLock(syscall.F_WRLCK)
	err := fcntl(f, ofdSetLock, &lk)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return false, nil
	}
	return err == nil, err
}

// Unlock gives the lock back before f is closed.
func Unlock(f *os.File) error {
	lk := wholeLock(syscall.F_UNLCK)
	return fcntl(f, ofdSetLock, &lk)
}

// Held asks whether somebody holds the lock of another open file on the same path.
func Held(f *os.File) (bool, error) {
	lk := wholeLock(syscall.F_WRLCK)
	if err := fcntl(f, ofdGetLock, &lk); err != nil {
		return false, err
	}
	return lk.Type != syscall.F_UNLCK, nil
}

func wholeLock(kind int16) syscall.Flock_t {
	return syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: offset, Len: 1}
}

func fcntl(f *os.File, cmd int, lk *syscall.Flock_t) error {
	for {
		err := syscall.FcntlFlock(f.Fd(), cmd, lk)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
