package av

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// piped is standard input or a named pipe, as a descriptor for FFmpeg.
type piped struct {
	fd  int
	own bool // to be closed
	// file says that it is a file from its beginning, which is opened anew, so that it can be searched.
	file bool
}

// StdinIsFile reports whether standard input is a file that nothing was read of yet: `pinring run - <in.mov`.
func StdinIsFile() bool {
	info, err := os.Stdin.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	at, err := os.Stdin.Seek(0, io.SeekCurrent)
	if err != nil || at != 0 {
		return false
	}
	f, err := os.Open(stdinPath) // another user's, or a system without /proc
	if err != nil {
		return false
	}
	_ = f.Close()
	return true
}

const stdinPath = "/proc/self/fd/0"

// openStdin opens a pipe on standard input once more, not to block: between two attempts to read FFmpeg
// then asks whether it should give up, and an interrupt is heard while nothing comes. The descriptor
// that others share stays as it is.
func openStdin() *piped {
	if StdinIsFile() {
		return &piped{file: true}
	}
	info, err := os.Stdin.Stat()
	if err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		if fd, err := syscall.Open(stdinPath, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0); err == nil {
			return &piped{fd: fd, own: true}
		}
	}
	return &piped{} // no pipe, or a system without /proc: reads may block
}

func (s *piped) url() string {
	if s.file {
		return "file:" + stdinPath
	}
	return fmt.Sprintf("pipe:%d", s.fd)
}

func (s *piped) close() {
	if s != nil && s.own {
		s.own = false
		_ = syscall.Close(s.fd)
	}
}
