package roster

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func join(t *testing.T, dir string) *Member {
	t.Helper()
	m, err := Join(dir, "k")
	if err != nil {
		t.Skip("no roster here:", err)
	}
	t.Cleanup(func() { m.Leave() })
	return m
}

func set(t *testing.T, m *Member, n int64) {
	t.Helper()
	if err := m.Do(func(_ []Peer, own *Values) error { own[0] = n; return nil }); err != nil {
		t.Fatal(err)
	}
}

func sum(t *testing.T, m *Member) (n int64) {
	t.Helper()
	err := m.Do(func(peers []Peer, own *Values) error {
		n = own[0]
		for _, p := range peers {
			n += p.Values[0]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestMembersSeeEachOther(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	a, b := join(t, dir), join(t, dir)
	set(t, a, 3)
	set(t, b, 4)
	if got := sum(t, a); got != 7 {
		t.Errorf("a sees %d", got)
	}
	if err := b.Leave(); err != nil {
		t.Fatal(err)
	}
	if err := b.Leave(); err != nil {
		t.Errorf("leaving twice: %v", err)
	}
	if got := sum(t, a); got != 3 {
		t.Errorf("after b has left a sees %d", got)
	}
	if err := b.Do(func([]Peer, *Values) error { return nil }); err == nil {
		t.Error("a member that has left still acts")
	}
	other, err := Join(dir, "other")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Leave()
	if got := sum(t, other); got != 0 {
		t.Errorf("another kind sees %d", got)
	}
}

// Everything that is not a living member's good record is ignored and counted.
func TestForeignAndBroken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	a, b := join(t, dir), join(t, dir)
	set(t, a, 3)
	set(t, b, 4)
	inner := filepath.Join(dir, "k")
	write := func(name string, data []byte) string {
		path := filepath.Join(inner, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := Values{1000}
	write("notes.txt", []byte("hello"))
	write("7-0011223344556677.share.bak", encode(7, &good))
	short := write("7-0011223344556677.share", encode(7, &good)[:50])
	dead := write("8-0011223344556677.share", encode(8, &good))
	negative := Values{-1000}
	write("9-0011223344556677.share", encode(9, &negative))
	foreign := 3
	if linked(t, b.path, filepath.Join(inner, "10-0011223344556677.share")) {
		foreign++
	}
	if err := os.Mkdir(filepath.Join(inner, "11-0011223344556677.share"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := sum(t, a); got != 7 {
		t.Errorf("a sees %d", got)
	}
	if c := a.Census(); c.Foreign != foreign || c.Broken != 2 || c.Dead != 1 || len(c.Peers) != 1 {
		t.Errorf("census %+v", c)
	}
	if _, err := os.Stat(dead); err == nil {
		t.Error("the record of a dead process is still there")
	}
	if _, err := os.Stat(short); err != nil {
		t.Error("a file that may be somebody's was removed")
	}
	// A living member whose record is overwritten is not trusted either.
	if err := os.WriteFile(b.path, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := sum(t, a); got != 3 {
		t.Errorf("with b's record broken a sees %d", got)
	}
}

func TestAFolderOfOthersIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folder is the user's own by its place, not by its mode")
	}
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if m, err := Join(dir, "k"); err == nil {
		m.Leave()
		t.Error("a folder that everybody can write to is accepted")
	} else if !strings.Contains(err.Error(), "PINRING_RUNTIME_DIR") {
		t.Errorf("%q does not say what to do", err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	if m, err := Join(link, "k"); err == nil {
		m.Leave()
		t.Error("a link is accepted as the folder")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(1, &Values{1, 2, 3}))
	f.Add(encode(1, &Values{-1}))
	f.Add([]byte("pinring\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		pid, v, err := decode(b)
		if err != nil {
			return
		}
		if string(encode(pid, &v)) != string(b) {
			t.Error("a record that is accepted is not the one that would be written")
		}
		for _, n := range v {
			if n < 0 {
				t.Error("a number below zero is accepted")
			}
		}
	})
}
