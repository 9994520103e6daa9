package av

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/asticode/go-astiav"
)

// Error is a failure that one of FFmpeg's libraries reported.
type Error struct {
	Op     string // what was being done: "open input"
	Code   int    // FFmpeg's error code, negative
	Detail string // FFmpeg's own words for the cause, may be empty
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s", e.Op, lowerFirst(astiav.Error(e.Code).Error()))
	if e.Detail != "" {
		s += " (" + e.Detail + ")"
	}
	return s
}

// Unwrap gives the operating system's error when the code stands for one, so that errors.Is finds
// fs.ErrNotExist, syscall.ENOSPC and the like.
func (e *Error) Unwrap() error {
	if e.Code < 0 && e.Code > -4096 {
		return syscall.Errno(-e.Code)
	}
	return nil
}

// ErrInterrupted says that a context ended a blocking call of FFmpeg.
var ErrInterrupted = errors.New("interrupted")

// fail makes an *Error of a negative code, nil of others.
func fail(op string, code int) error {
	if code >= 0 {
		return nil
	}
	if code == int(astiav.ErrExit) {
		return fmt.Errorf("%s: %w", op, ErrInterrupted)
	}
	return &Error{Op: op, Code: code}
}

// failErr is fail for what go-astiav returns. The common case allocates nothing.
func failErr(op string, err error) error {
	if err == nil {
		return nil
	}
	return explain(op, err)
}

func explain(op string, err error) error {
	var code astiav.Error
	if errors.As(err, &code) {
		return fail(op, int(code))
	}
	return fmt.Errorf("%s: %w", op, err)
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return string(s[0]+'a'-'A') + s[1:]
	}
	return s
}
