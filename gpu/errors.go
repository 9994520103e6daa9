package gpu

import (
	"errors"
	"fmt"
)

// ErrUnsupported says that the device has no such thing.
var ErrUnsupported = errors.New("not supported by this device")

// ErrOutOfMemory is matched (errors.Is) by every *OutOfMemoryError.
var ErrOutOfMemory = errors.New("out of memory")

// OutOfMemoryError is raised only when memory is certainly what was lacking.
type OutOfMemoryError struct {
	Call      string // the driver's function, "cuMemHostAlloc"
	Code      int    // its result, 2 for CUDA_ERROR_OUT_OF_MEMORY
	Requested int64  // bytes asked for
	Reason    string // more to say, may be empty: which limit was met
	Err       error  // what refused, for errors.As; nil when it was the driver
}

func (e *OutOfMemoryError) Error() string {
	s := fmt.Sprintf("%s: out of memory asking for %d bytes (code %d)", e.Call, e.Requested, e.Code)
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	return s
}

// Is makes errors.Is(err, ErrOutOfMemory) true.
func (e *OutOfMemoryError) Is(target error) bool { return target == ErrOutOfMemory }

// Unwrap is what refused.
func (e *OutOfMemoryError) Unwrap() error { return e.Err }

// DeviceError is any other failure that the driver reported.
type DeviceError struct {
	Call    string // the driver's function
	Code    int    // its result
	Message string // the driver's words for it
	// Poisoned means that the context is lost: every later call fails, and nothing may be freed.
	Poisoned bool
}

func (e *DeviceError) Error() string {
	s := fmt.Sprintf("%s: %s (code %d)", e.Call, e.Message, e.Code)
	if e.Poisoned {
		s += "; the device context is lost"
	}
	return s
}

// NoContextError says that a device is there, and that the driver lets this process have no context on it:
// another one has it for itself, or it is full.
type NoContextError struct{ Err error }

func (e *NoContextError) Error() string { return "no context on the device: " + e.Err.Error() }

func (e *NoContextError) Unwrap() error { return e.Err }

// Poisoned reports whether err says that the device context is lost.
func Poisoned(err error) bool {
	var e *DeviceError
	return errors.As(err, &e) && e.Poisoned
}
