package sharedlib

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The loader's own words are in the error, however many libraries are tried at once.
func TestLoadersWords(t *testing.T) {
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			const name = "libnothing-of-that-name.so.1"
			if _, err := Open(name); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), name+": cannot open shared object file") {
				t.Errorf("%q", err)
			}
		})
	}
	all.Wait()
}

// A library that is there and broken is not absent.
func TestBrokenIsNotAbsent(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lib.so")
	if err := os.WriteFile(name, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "file too short") {
		t.Error(err)
	}
}
