package decode

import (
	"errors"
	"io/fs"
	"syscall"
)

// Error says why an input cannot be decoded at all.
type Error struct {
	Path string
	What string // what is wrong: "has no video stream"
	Hint string // what to do about it, may be empty
	Err  error  // the cause, may be nil
}

func (e *Error) Error() string {
	s := e.Path + ": " + e.What
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Causes that callers may ask for with errors.Is.
var (
	ErrNoVideo         = errors.New("no video stream")
	ErrNothingDecoded  = errors.New("not one picture could be decoded")
	ErrReferencesFiles = errors.New("it names other files to be opened")
	ErrDamaged         = errors.New("damage")
	ErrPartly          = errors.New("only a part of the picture could be decoded")
)

const largerHint = "--max-pixels allows larger pictures"

func cannotOpen(path string, err error) error {
	e := &Error{Path: path, What: "cannot be opened", Err: err,
		Hint: "is it a video file, and complete? `ffprobe FILE` tells what FFmpeg makes of it"}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		e.Hint = "check the name; network addresses are not opened"
	case errors.Is(err, fs.ErrPermission):
		e.Hint = "check the file's permissions"
	case piped(path):
		e.Hint = pipeHint
	}
	return e
}

// damaged is an error that is ErrDamaged, too.
type damaged struct{ error }

func (d damaged) Unwrap() []error { return []error{ErrDamaged, d.error} }
