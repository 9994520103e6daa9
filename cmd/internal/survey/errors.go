package survey

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinring/pinring/gpu"
)

// UsageError is a command line that means nothing; nothing was done. Exit code 2.
type UsageError struct {
	Message string
	Advice  string // what to do, may be empty
}

func (e *UsageError) Error() string { return e.Message }

// Hint is what to do about it.
func (e *UsageError) Hint() string { return e.Advice }

func usage(hint, format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...), hint}
}

// StageError says in which step something failed, as exit codes need it.
type StageError struct {
	Stage  string // device, input, output
	Err    error
	Advice string
}

func (e *StageError) Error() string { return e.Err.Error() }
func (e *StageError) Unwrap() error { return e.Err }

// Hint is what to do about it.
func (e *StageError) Hint() string { return e.Advice }

// ChildError is the exit of the command that watch started; nothing is to be said about it.
type ChildError struct{ Code int }

func (e *ChildError) Error() string {
	return fmt.Sprintf("the command ended with exit code %d", e.Code)
}

// ExitCode is the exit code for an error of these commands, as in the README's table; 1 for one that
// has no code of its own.
func ExitCode(err error) int {
	var use *UsageError
	var child *ChildError
	var stage *StageError
	var dev *gpu.DeviceError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &child):
		return child.Code
	case errors.Is(err, context.Canceled), errors.Is(err, ErrInterrupted):
		return 130
	case errors.As(err, &use):
		return 2
	case errors.Is(err, gpu.ErrOutOfMemory):
		return 4
	case errors.As(err, &dev):
		return 7
	case errors.As(err, &stage):
		return map[string]int{"device": 7, "input": 3, "output": 6}[stage.Stage]
	}
	return 1
}

// ErrInterrupted is a cause that programs may cancel the commands' context with.
var ErrInterrupted = errors.New("interrupted")
