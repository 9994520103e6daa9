package main

import (
	"context"

	"github.com/pinring/pinring/cmd/internal/cli"
)

// interruptible returns a context that the first interrupt cancels, and that the second leaves for
// exit.
func interruptible(parent context.Context, t *talk, exit func(code int)) (ctx context.Context, stop func()) {
	return cli.Interruptible(parent, t.say, exit)
}
