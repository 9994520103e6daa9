package cli

import (
	"cmp"
	"errors"
	"io"
	"sync"
)

// Out is standard output that remembers what could not be written to it: help and the like are printed by
// others, who do not tell. It may be used concurrently.
type Out struct {
	w   io.Writer
	mu  sync.Mutex
	err error
}

// NewOut writes to w.
func NewOut(w io.Writer) *Out { return &Out{w: w} }

func (o *Out) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.err = cmp.Or(o.err, err) // the first
	}
	return n, err
}

// Judge is the error that a command ended with; or that its output was lost, where it does not know that, or not
// what kind of error it is.
func (o *Out) Judge(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil && (err == nil || errors.Is(err, o.err) && ExitCode(err) == ExitOther) {
		return &OutputError{Err: o.err}
	}
	return err
}
