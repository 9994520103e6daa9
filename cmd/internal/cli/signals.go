package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Interruptible returns a context that the first interrupt (Ctrl-C, SIGTERM, SIGHUP; on Windows also
// Ctrl-Break and the closing of the console) cancels with the cause ErrInterrupted; the second calls
// exit, which ends the program at once. stop undoes it and ends the goroutine.
func Interruptible(parent context.Context, say func(format string, args ...any), exit func(code int)) (ctx context.Context, stop func()) {
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
		say("interrupted: finishing what is under way (once more to stop at once)")
		cancel(ErrInterrupted)
		select {
		case <-stopped:
		case <-signals:
			exit(ExitInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(stopped)
		<-ended
		cancel(nil)
	}
}
