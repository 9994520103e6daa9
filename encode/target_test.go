package encode

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTargetCommit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out.bin")
	g, err := newTarget(name, "", false)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(g.path) != filepath.Dir(name) || !strings.HasPrefix(filepath.Base(g.path), ".out.bin.") {
		t.Errorf("the temporary file is %s", g.path)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Error("the file has appeared before it is complete")
	}
	if err := os.WriteFile(g.path, []byte("whole"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := g.commit(); err != nil {
		t.Fatal(err)
	}
	g.abandon() // too late to have an effect
	if b, err := os.ReadFile(name); err != nil || string(b) != "whole" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := newTarget(name, "", false); !errors.Is(err, ErrExists) {
		t.Errorf("got %v, want %v", err, ErrExists)
	}
	if _, err := newTarget(name, name, true); !errors.Is(err, ErrIsInput) {
		t.Errorf("got %v, want %v", err, ErrIsInput)
	}
}

func TestTargetAbandon(t *testing.T) {
	dir := t.TempDir()
	g, err := newTarget(filepath.Join(dir, "out.bin"), "", false)
	if err != nil {
		t.Fatal(err)
	}
	g.abandon()
	g.abandon()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestTargetDevice(t *testing.T) {
	g, err := newTarget(os.DevNull, "", false)
	if err != nil {
		t.Fatal(err)
	}
	if g.path != os.DevNull || g.to != "" {
		t.Errorf("a device is not written to directly: %+v", g)
	}
	if err := g.commit(); err != nil {
		t.Error(err)
	}
	g.abandon()
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Fatal(err)
	}
}

// TestTargetSweep: what a dead process left of this output goes, what a living one holds stays and
// refuses us, and files of others are not touched.
func TestTargetSweep(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out.bin")
	write := func(base string) string {
		t.Helper()
		p := filepath.Join(dir, base)
		if err := os.WriteFile(p, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	stale := write(".out.bin.0123abcd.pinring-part")
	others := []string{write(".other.bin.0123abcd.pinring-part"), write(".out.bin.0123abcd.part"), write("out.bin.0123abcd.pinring-part"),
		write(".out.bin.xyz.pinring-part")}
	g, err := newTarget(name, "", false)
	if err != nil {
		t.Fatal(err)
	}
	if exists(stale) {
		t.Error("the leftover stays")
	}
	for _, o := range others {
		if !exists(o) {
			t.Errorf("%s is gone", o)
		}
	}
	if _, err := newTarget(name, "", true); !errors.Is(err, ErrBusy) {
		t.Errorf("a second writer got %v", err)
	}
	if !exists(g.path) {
		t.Error("the second writer removed the file of the first")
	}
	g.abandon()
	g, err = newTarget(name, "", true)
	if err != nil {
		t.Fatal(err)
	}
	g.abandon()
}
