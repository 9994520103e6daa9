//go:build unix

package cli

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// pipePatience is for how long somebody may take to begin to read a named pipe. Opening one waits for ever
// otherwise, and an interrupt would not end it.
var pipePatience = time.Minute

var errNoReader = errors.New("nobody reads this pipe")

// openDevice opens what is there and no regular file for writing.
func openDevice(name string, mode fs.FileMode) (*os.File, error) {
	if mode&fs.ModeNamedPipe == 0 {
		return os.OpenFile(name, os.O_WRONLY, 0)
	}
	for began := time.Now(); ; time.Sleep(pipePatience / 1000) {
		f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		switch {
		case !errors.Is(err, syscall.ENXIO):
			return f, err
		case time.Since(began) > pipePatience:
			return nil, &fs.PathError{Op: "open", Path: name, Err: errNoReader}
		}
	}
}
