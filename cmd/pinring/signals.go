package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible returns a context that the first SIGINT or SIGTERM cancels with the cause
// errInterrupted; the second calls exit, which ends the program at once. stop undoes it and ends
// the goroutine.
func interruptible(parent context.Context, t *talk, exit func(code int)) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	stopped, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-stopped:
			return
		case <-signals:
		}
		t.say("interrupted: finishing what is under way (once more to stop at once)")
		cancel(errInterrupted)
		select {
		case <-stopped:
		case <-signals:
			exit(exitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(stopped)
		<-ended
		cancel(nil)
	}
}
