package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Interruptible returns a context that the first interrupt (Ctrl-C, SIGTERM, SIGHUP; on Windows also
// Ctrl-Break and the closing of the console) cancels with the cause ErrInterrupted; the second, if it
// is no echo of the first, calls exit, which ends the program at once. stop undoes it and ends the goroutine.
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
		if again(signals, stopped, time.Now()) {
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

// echo is how soon a second signal is still the first one: programs such as timeout send it to the process
// and then to its group.
const echo = 100 * time.Millisecond

// again waits for a signal that is no echo of the first; false when stopped before.
func again(signals <-chan os.Signal, stopped <-chan struct{}, first time.Time) bool {
	for {
		select {
		case <-stopped:
			return false
		case <-signals:
			if time.Since(first) >= echo {
				return true
			}
		}
	}
}
