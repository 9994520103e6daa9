//go:build unix

package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A named pipe gets the whole text, and one that nobody reads ends the writing.
func TestNamedPipe(t *testing.T) {
	defer func(d time.Duration) { pipePatience = d }(pipePatience)
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	text := make([]byte, 1<<20) // more than a pipe holds
	write := func(w io.Writer) error { _, err := w.Write(text); return err }
	pipePatience = 10 * time.Millisecond
	if err := WriteWhole(name, write); !errors.Is(err, errNoReader) {
		t.Errorf("without a reader: %v", err)
	}
	pipePatience = time.Minute
	got := make(chan int)
	go func() {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		got <- len(b)
	}()
	if err := WriteWhole(name, write); err != nil {
		t.Error(err)
	}
	if n := <-got; n != len(text) {
		t.Errorf("%d bytes came, want %d", n, len(text))
	}
}
