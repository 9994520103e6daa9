package lockfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestLockBelongsToTheOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	a, b := open(), open()
	if ok, err := TryLock(a); !ok {
		if errors.Is(err, ErrUnsupported) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	if ok, err := TryLock(b); ok || err != nil {
		t.Errorf("locked twice: %v, %v", ok, err)
	}
	if held, err := Held(b); !held || err != nil {
		t.Errorf("held: %v, %v", held, err)
	}
	if _, err := b.WriteAt([]byte("data"), 0); err != nil {
		t.Errorf("the lock forbids writing the data: %v", err)
	}
	a.Close()
	if held, err := Held(b); held || err != nil {
		t.Errorf("held after close: %v, %v", held, err)
	}
	if ok, err := TryLock(b); !ok || err != nil {
		t.Errorf("after close: %v, %v", ok, err)
	}
	if err := Unlock(b); err != nil {
		t.Error(err)
	}
	if held, err := Held(open()); held || err != nil {
		t.Errorf("held after unlock: %v, %v", held, err)
	}
}
