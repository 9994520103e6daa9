package roster

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pinring/pinring/internal/lockfile"
)

func TestExclusive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	a, _, err := Exclusive(dir, "x.lock")
	if errors.Is(err, lockfile.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil || a == nil {
		t.Fatal(a, err)
	}
	if b, pid, err := Exclusive(dir, "x.lock"); b != nil || pid != os.Getpid() || err != nil {
		t.Errorf("a second one: %v, owner %d, %v", b, pid, err)
	}
	other, _, err := Exclusive(dir, "y.lock")
	if err != nil || other == nil {
		t.Errorf("another seat: %v, %v", other, err)
	}
	for range 2 {
		if err := errors.Join(a.Leave(), other.Leave()); err != nil {
			t.Error(err)
		}
	}
	// A file that makes no sense is taken over.
	if err := os.WriteFile(filepath.Join(dir, "x.lock"), []byte("no number, and longer than one"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, _, err := Exclusive(dir, "x.lock")
	if err != nil || b == nil {
		t.Fatal(b, err)
	}
	defer b.Leave()
	if _, pid, _ := Exclusive(dir, "x.lock"); pid != os.Getpid() {
		t.Errorf("the owner is %d", pid)
	}
}

// linked makes a link, and reports false where that cannot be: Windows lets only some users do it, and
// wine 8 makes none and reports success. On Linux it must work.
func linked(t *testing.T, target, name string) bool {
	t.Helper()
	err := os.Symlink(target, name)
	info, look := os.Lstat(name)
	made := err == nil && look == nil && info.Mode()&os.ModeSymlink != 0
	if !made && runtime.GOOS != "windows" {
		t.Fatal(err, look)
	}
	return made
}

// A link in the folder is not followed, and a folder that others can write is not used.
func TestExclusiveTrustsNobody(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "target")
	if linked(t, target, filepath.Join(dir, "x.lock")) {
		if s, _, err := Exclusive(dir, "x.lock"); err == nil {
			s.Leave()
			t.Error("a link was followed")
		}
		if _, err := os.Lstat(target); err == nil {
			t.Error("the link's target was made")
		}
	}
	if runtime.GOOS == "windows" {
		return // the folder is the user's own by its place, not by its mode
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if s, _, err := Exclusive(dir, "z.lock"); err == nil {
		s.Leave()
		t.Error("a folder that all can write was used")
	}
}
