package av

import (
	"context"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// IsFIFO reports whether a path leads to a named pipe.
func IsFIFO(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeNamedPipe != 0
}

// openFIFO opens a named pipe not to block, as openStdin does, and waits until somebody writes into it:
// for maxWait, or for ever when that is 0.
func openFIFO(ctx context.Context, path string, maxWait time.Duration) (*piped, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	p := &piped{fd: fd, own: true}
	if err := awaitWriter(ctx, fd, maxWait); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// awaitWriter returns when there is something to read, or when a writer came and went.
func awaitWriter(ctx context.Context, fd int, maxWait time.Duration) error {
	const turn = 20 // milliseconds until ctx is looked at again
	for begun := time.Now(); ; {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, turn)
		switch {
		case ctx.Err() != nil:
			return ErrInterrupted
		case n > 0:
			return nil
		case err != nil && err != unix.EINTR:
			return err
		case maxWait > 0 && time.Since(begun) > maxWait:
			return ErrNoData
		}
	}
}
