package lockfile

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

var (
	kernel32   = syscall.NewLazyDLL("kernel32.dll")
	lockFileEx = kernel32.NewProc("LockFileEx")
	unlockFile = kernel32.NewProc("UnlockFileEx")
)

// Flags of LockFileEx, and the error of a lock that somebody else has (winbase.h, winerror.h).
const (
	failImmediately    = 1
	exclusive          = 2
	errorLockViolation = syscall.Errno(33)
)

// TryLock takes the exclusive lock, and reports false when somebody else has it. The lock ends when
// f is closed. f must be open for writing.
func TryLock(f *os.File) (bool, error) { return try(f, exclusive|failImmediately) }

// Unlock gives the lock back before f is closed.
func Unlock(f *os.File) error {
	ov := syscall.Overlapped{Offset: offset}
	r, _, err := unlockFile.Call(f.Fd(), 0, 1, 0, uintptr(unsafe.Pointer(&ov)))
	if r == 0 {
		return err
	}
	return nil
}

// Held asks whether somebody holds the lock of another open file on the same path. It takes a shared
// lock for a moment, which disturbs nobody but a TryLock at the same moment.
func Held(f *os.File) (bool, error) {
	ok, err := try(f, failImmediately)
	if ok {
		err = Unlock(f)
	}
	return !ok, err
}

func try(f *os.File, flags uintptr) (bool, error) {
	ov := syscall.Overlapped{Offset: offset}
	r, _, err := lockFileEx.Call(f.Fd(), flags, 0, 1, 0, uintptr(unsafe.Pointer(&ov)))
	if r != 0 {
		return true, nil
	}
	if errors.Is(err, errorLockViolation) {
		return false, nil
	}
	return false, err
}
