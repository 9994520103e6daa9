package budget

import (
	"errors"
	"fmt"
)

// ErrExhausted is matched (errors.Is) by every *ExhaustedError.
var ErrExhausted = errors.New("memory budget exhausted")

// ExhaustedError says that the guard gave up on a frame.
type ExhaustedError struct {
	Frame    int64
	Bytes    int64   // what the frame asked for
	Limiting Reading // the domain that had no room
	Err      error   // what ended the wait, nil when it was the policy
}

func (e *ExhaustedError) Error() string {
	s := fmt.Sprintf("memory budget exhausted at frame %d, which asks for %s: %s", e.Frame, FormatBytes(e.Bytes), e.Limiting)
	if e.Limiting.Pending > 0 {
		s += fmt.Sprintf(", %s of it freed but not reclaimed yet", FormatBytes(e.Limiting.Pending))
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Is makes errors.Is(err, ErrExhausted) true.
func (e *ExhaustedError) Is(target error) bool { return target == ErrExhausted }

// Unwrap is what ended the wait.
func (e *ExhaustedError) Unwrap() error { return e.Err }
