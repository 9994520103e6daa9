package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// WriteWhole makes a file that is either complete or not there: it is written under another name.
// A name that is there and no regular file (a pipe, /dev/stderr) is written to as it is.
func WriteWhole(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := openDevice(name, info.Mode())
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := beside(name)
	if err != nil {
		return underItsName(name, err)
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return underItsName(name, err)
}

// underItsName is err about the file that the user knows: the temporary one's name says nothing.
func underItsName(name string, err error) error {
	var path *os.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &os.PathError{Op: path.Op, Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &os.PathError{Op: link.Op, Path: name, Err: link.Err}
	}
	return err
}

// beside makes the temporary file that becomes name.
func beside(name string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
}

// CanWrite tries whether [WriteWhole] could make the file now, and leaves nothing behind.
func CanWrite(name string) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", name)
	case err == nil && !info.Mode().IsRegular():
		return nil // opening a pipe can have consequences
	}
	f, err := beside(name)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) { // its own name says nothing to the user
			err = path.Err
		}
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Quoted is a command line that a shell would read back, the program under its plain name.
func Quoted(program string, args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		if i == 0 {
			a = program
		}
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`!*?[](){}<>|&;#~") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		out[i] = a
	}
	return strings.Join(out, " ")
}
