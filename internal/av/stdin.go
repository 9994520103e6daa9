package av

import (
	"fmt"
	"os"
	"syscall"
)

// stdin is standard input, as a descriptor for FFmpeg.
type stdin struct {
	fd  int
	own bool // to be closed
}

// openStdin opens a pipe on standard input once more, not to block: between two attempts to read FFmpeg
// then asks whether it should give up, and an interrupt is heard while nothing comes. The descriptor
// that others share stays as it is.
func openStdin() *stdin {
	info, err := os.Stdin.Stat()
	if err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		if fd, err := syscall.Open("/proc/self/fd/0", syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0); err == nil {
			return &stdin{fd: fd, own: true}
		}
	}
	return &stdin{} // no pipe, or a system without /proc: reads may block
}

func (s *stdin) url() string { return fmt.Sprintf("pipe:%d", s.fd) }

func (s *stdin) close() {
	if s != nil && s.own {
		s.own = false
		_ = syscall.Close(s.fd)
	}
}
