package cli

import (
	"context"
	"errors"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/open"
	"github.com/pinring/pinring/transfer"
)

// Exit codes, a contract with scripts.
const (
	ExitDone        = 0
	ExitOther       = 1 // none of the below: a fault of the program
	ExitUsage       = 2 // command line or settings; nothing was done
	ExitInput       = 3 // cannot be read, or has no video
	ExitMemory      = 4 // out of memory or budget
	ExitLost        = 5 // finished, but frames were lost
	ExitOutput      = 6 // cannot be written
	ExitDevice      = 7
	ExitInterrupted = 130 // what was done until then is complete
)

// ErrInterrupted is the cause of a context that the user cancelled.
var ErrInterrupted = errors.New("interrupted")

// InputError and OutputError say which side of a program an error belongs to.
type (
	InputError  struct{ Err error }
	OutputError struct{ Err error }
)

func (e *InputError) Error() string  { return e.Err.Error() }
func (e *InputError) Unwrap() error  { return e.Err }
func (e *OutputError) Error() string { return e.Err.Error() }
func (e *OutputError) Unwrap() error { return e.Err }

// ExitCode is the code for an error that says by itself what it is. Order matters: what an error is
// comes before where it happened.
func ExitCode(err error) int {
	var exit *ExitError
	if errors.As(err, &exit) {
		return exit.Code
	}
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, ErrInterrupted), errors.Is(err, context.Canceled):
		return ExitInterrupted
	case is[*UsageError](err), is[*open.SyntaxError](err), is[*config.ValueError](err), is[*config.UnknownError](err), is[*config.FileError](err):
		return ExitUsage
	case errors.Is(err, gpu.ErrOutOfMemory), errors.Is(err, transfer.ErrCap), errors.Is(err, budget.ErrExhausted):
		return ExitMemory
	case is[*gpu.DeviceError](err), is[*open.UnavailableError](err):
		return ExitDevice
	case is[*InputError](err):
		return ExitInput
	case is[*OutputError](err):
		return ExitOutput
	}
	return ExitOther
}
