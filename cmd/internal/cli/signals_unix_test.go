//go:build unix

package cli

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

// A signal that is sent twice at once, as timeout does, is one; a later one ends the program.
func TestAnEchoIsNoSecondSignal(t *testing.T) {
	exited := make(chan int, 8)
	ctx, stop := Interruptible(context.Background(), func(string, ...any) {}, func(code int) { exited <- code })
	defer stop()
	began := time.Now()
	syscall.Kill(os.Getpid(), syscall.SIGINT)
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-ctx.Done()
	if !errors.Is(context.Cause(ctx), ErrInterrupted) {
		t.Error(context.Cause(ctx))
	}
	for {
		select {
		case code := <-exited:
			if code != ExitInterrupted {
				t.Errorf("exit code %d", code)
			}
			if d := time.Since(began); d < echo { // the first signal cannot have come earlier
				t.Errorf("a second signal counted %v after the first", d)
			}
			return
		case <-time.After(echo / 4): // until it counts as a second one
			syscall.Kill(os.Getpid(), syscall.SIGINT)
		}
	}
}

// again by itself: what comes early does not count.
func TestAgain(t *testing.T) {
	signals, stopped := make(chan os.Signal, 1), make(chan struct{})
	signals <- syscall.SIGINT
	if !again(signals, stopped, time.Now().Add(-echo)) {
		t.Error("a late signal did not count")
	}
	signals <- syscall.SIGINT
	ended := make(chan bool)
	go func() { ended <- again(signals, stopped, time.Now().Add(time.Hour)) }() // far within the echo
	for len(signals) > 0 {
		time.Sleep(time.Millisecond)
	}
	close(stopped)
	if <-ended {
		t.Error("an echo counted")
	}
}
