//go:build !windows

package survey

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// forwarder passes signals on to a command. Those that a terminal sends have reached the command
// already, since it is in the same process group, and are not sent twice.
type forwarder struct {
	signals     chan os.Signal
	done, ended chan struct{}
}

// catch begins to catch signals, which wait until to is called.
func catch() *forwarder {
	f := &forwarder{signals: make(chan os.Signal, 8), done: make(chan struct{}), ended: make(chan struct{})}
	signal.Notify(f.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2)
	return f
}

// to sends them to p, nil for nobody, until stop.
func (f *forwarder) to(p *os.Process) {
	go func() {
		defer close(f.ended)
		for {
			select {
			case s := <-f.signals:
				if p != nil && !(keyed(s) && foreground()) {
					p.Signal(s) // fails only when it has ended
				}
			case <-f.done:
				return
			}
		}
	}()
}

// stop ends it, after to.
func (f *forwarder) stop() {
	signal.Stop(f.signals)
	close(f.done)
	<-f.ended
}

// keyed reports whether a key of a terminal sends the signal.
func keyed(s os.Signal) bool { return s == os.Interrupt || s == syscall.SIGQUIT }

// foreground reports whether this process is in front of a terminal.
func foreground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// signalled is the exit code of a command that a signal ended, as shells have it, and the signal's name.
func signalled(state *os.ProcessState) (code int, name string, ok bool) {
	w, is := state.Sys().(syscall.WaitStatus)
	if !is || !w.Signaled() {
		return 0, "", false
	}
	return 128 + int(w.Signal()), w.Signal().String(), true
}
