//go:build linux && cgo

package transfer_test

import (
	"context"
	"errors"
)

var errEnded = errors.New("this context has ended")

// ended is a context in which nothing waits.
func ended() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errEnded)
	return ctx
}
