package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is whole or as it was before, whatever ends the writing of it, and nothing lies beside it.
func TestWriteWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.json")
	full := errors.New("no space left")
	half := func(w io.Writer) error { io.WriteString(w, "half"); return full }
	if err := WriteWhole(name, half); !errors.Is(err, full) {
		t.Error(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
	if err := WriteWhole(name, func(w io.Writer) error { _, err := io.WriteString(w, "whole"); return err }); err != nil {
		t.Fatal(err)
	}
	if err := WriteWhole(name, half); !errors.Is(err, full) {
		t.Error(err)
	}
	list, err := os.ReadDir(dir)
	text, bad := os.ReadFile(name)
	if err != nil || bad != nil || len(list) != 1 || string(text) != "whole" {
		t.Errorf("%v, %q: %v, %v", list, text, err, bad)
	}
	if err := CanWrite(name); err != nil {
		t.Error(err)
	}
	if err := CanWrite(filepath.Join(dir, "none", "x.json")); err == nil {
		t.Error("a file in a folder that is not there")
	}
}

// What is said is about the file that was named, and not about the temporary one.
func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.json")
	fail := func(w io.Writer) error {
		f := w.(*os.File)
		return &os.PathError{Op: "write", Path: f.Name(), Err: os.ErrClosed}
	}
	if err := WriteWhole(name, fail); err == nil || err.Error() != "write "+name+": file already closed" || !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	lost := filepath.Join(dir, "none", "y.json")
	if err := WriteWhole(lost, fail); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "open "+lost+": ") {
		t.Error(err)
	}
}
