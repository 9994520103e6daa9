package driverdouble

import (
	"os"
	"path/filepath"
	"testing"
)

// Broken makes two folders in which both libraries are no driver's: files of text, which the loader refuses,
// and libraries without the functions, which load.
func Broken(t testing.TB) (text, empty string) {
	t.Helper()
	text, empty = t.TempDir(), t.TempDir()
	source := filepath.Join(empty, "nothing.c")
	if err := os.WriteFile(source, []byte("int nothing;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	g := Linux()
	for _, name := range []string{g.Driver, g.Management} {
		if err := os.WriteFile(filepath.Join(text, name), []byte("This is no library.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := compile(g.CC, []string{"-shared", "-fPIC", "-o", filepath.Join(empty, name), source}); err != nil {
			t.Fatal(err)
		}
	}
	return text, empty
}
