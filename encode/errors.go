package encode

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/pinring/pinring/internal/av"
)

// Error says why an output cannot be written.
type Error struct {
	Output string
	What   string // what is wrong: "exists"
	Hint   string // what to do about it, may be empty
	Err    error  // the cause, may be nil
	// Settings is true when nothing was written because the settings mean nothing: an encoder, an
	// option or a container that does not exist.
	Settings bool
}

func (e *Error) Error() string {
	s := e.Output + ": " + e.What
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Causes that callers may ask for with errors.Is.
var (
	ErrExists     = errors.New("the file exists")
	ErrIsInput    = errors.New("it is the input file")
	ErrNoFrames   = errors.New("no frame reached the output")
	ErrSizeChange = errors.New("the picture changes its size or format")
	ErrQueueFull  = errors.New("too many packets wait for the first frame")
	ErrClosed     = errors.New("the output is closed")
	ErrBusy       = errors.New("another run is writing it")
	ErrOneImage   = errors.New("a second picture came for a file of one image")
	// ErrInterrupted: the context of Open ended, and nobody took what was written.
	ErrInterrupted = av.ErrInterrupted
)

// writeError explains a failure of writing.
func writeError(output string, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	e = &Error{Output: output, What: "cannot be written", Err: err}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Hint = "the disk is full: make room, or write elsewhere"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Hint = "check the permissions of the folder"
	case errors.Is(err, fs.ErrNotExist):
		e.Hint = "the folder does not exist: create it"
	case errors.Is(err, syscall.ENAMETOOLONG):
		e.Hint = "choose a shorter name"
	case errors.Is(err, syscall.ENOTDIR):
		e.Hint = "a part of the name is a file, no folder"
	case errors.Is(err, syscall.EPIPE):
		e.Hint = "the program that reads the output has ended"
	case errors.Is(err, syscall.EFBIG):
		e.Hint = "the file is larger than this system or user may write: see `ulimit -f`, or write elsewhere"
	case errors.Is(err, ErrQueueFull):
		e.Hint = "the first picture comes very late in this file: --no-audio leaves the sound out"
	case strings.Contains(err.Error(), "non seekable"):
		e.Hint = "this container needs a file that can be written back and forth: .mkv and .ts need none"
	}
	return e
}
