package cli

import (
	"context"
	"errors"
	"testing"
)

func TestAwait(t *testing.T) {
	if v, err := Await(t.Context(), func() (int, error) { return 7, ErrInterrupted }); v != 7 || err != ErrInterrupted {
		t.Error(v, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	begun, ended := make(chan struct{}), make(chan struct{})
	why := errors.New("enough")
	go func() {
		<-begun
		cancel(why)
	}()
	v, err := Await(ctx, func() (int, error) {
		close(begun)
		<-ended
		return 7, nil
	})
	if v != 0 || err != why {
		t.Errorf("%d, %v: want what the context ended for, and nothing of the function's", v, err)
	}
	close(ended) // it can end, too
}
