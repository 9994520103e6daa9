package cli

import (
	"errors"
	"fmt"
)

// UsageError is a command line that means nothing. Nothing was done.
type UsageError struct{ message string }

func (e *UsageError) Error() string { return e.message }

// Usage makes a UsageError with a hint, which may be empty.
func Usage(hint, format string, args ...any) error {
	err := &UsageError{fmt.Sprintf(format, args...)}
	if hint == "" {
		return err
	}
	return Hint(err, hint)
}

// ExitError ends the program with a code, as after a command that was started for the user and has said
// itself what there was to say about that. Err is what there is to say besides, nil for not a word.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string { return fmt.Sprintf("exit code %d", e.Code) }
func (e *ExitError) Unwrap() error { return e.Err }

// Hint adds advice to an error.
func Hint(err error, hint string) error { return &hinted{err, hint} }

type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint is the advice.
func (h *hinted) Hint() string { return h.hint }

// HintOf finds the outermost advice in an error: that of the first with a method Hint.
func HintOf(err error) string {
	var h interface {
		error
		Hint() string
	}
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

// is reports whether err holds an error of type E.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
