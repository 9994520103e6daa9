package roster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/pinring/pinring/internal/lockfile"
)

// Member is this process's place in a roster. Safe for concurrent use.
type Member struct {
	mu   sync.Mutex
	dir  string
	file *os.File // its lock is held; nil after Leave
	path string
	door *os.File // the folder's lock file
	own  Values
	last Census
}

// Peer is a living process.
type Peer struct {
	PID    int
	Values Values
}

// Census is what was found in the folder.
type Census struct {
	Peers   []Peer // living, without the asking member
	Dead    int    // records whose owner is gone; they are removed
	Foreign int    // files that are not ours to read
	Broken  int    // records that make no sense
}

// A member's file is PID-RANDOM.share; the file "lock" is the folder's lock.
const (
	doorName = "lock"
	suffix   = ".share"
)

var shareName = regexp.MustCompile(`^[0-9]+-[0-9a-f]{16}\.share$`)

// lockPatience is how long the folder's lock may be busy. It is held for well under a millisecond.
const lockPatience = 5 * time.Second

// Join makes a place of that kind in dir: in its sub-folder of that name, which is made when
// missing. kind must be a plain file name. All members of one kind see each other.
func Join(dir, kind string) (*Member, error) {
	dir, door, err := open(dir, kind)
	if err != nil {
		return nil, err
	}
	m := &Member{dir: dir, door: door}
	if err := m.locked(m.create); err != nil {
		door.Close()
		return nil, err
	}
	return m, nil
}

// open makes the folders and opens the file that locks the inner one.
func open(dir, kind string) (string, *os.File, error) {
	if err := prepare(dir); err != nil {
		return "", nil, err
	}
	dir = filepath.Join(dir, kind)
	if err := prepare(dir); err != nil {
		return "", nil, err
	}
	f, err := openFile(filepath.Join(dir, doorName), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return "", nil, err
	}
	return dir, f, nil
}

// create makes the file under the folder's lock, so that nobody takes it for a dead one before its
// own lock is held.
func (m *Member) create() error {
	var id [8]byte
	rand.Read(id[:]) // never fails
	name := fmt.Sprintf("%d-%s%s", os.Getpid(), hex.EncodeToString(id[:]), suffix)
	path := filepath.Join(m.dir, name)
	f, err := openFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	ok, err := lockfile.TryLock(f)
	if err == nil && !ok {
		err = errors.New("a new file is locked already")
	}
	if err == nil {
		_, err = f.WriteAt(encode(os.Getpid(), &m.own), 0)
	}
	if err != nil {
		f.Close()
		os.Remove(path)
		return fmt.Errorf("runtime folder: %s: %w", name, err)
	}
	m.file, m.path = f, path
	return nil
}

// Do calls f with the living peers and this member's own values, which f may change; nobody else
// of this kind reads or writes meanwhile. What f changed is written when it returns nil.
func (m *Member) Do(f func(peers []Peer, own *Values) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil {
		return errors.New("runtime folder: the share has been given up")
	}
	return m.locked(func() error {
		c, err := survey(m.dir, m.path)
		if err != nil {
			return err
		}
		m.last = c
		own := m.own
		if err := f(c.Peers, &own); err != nil {
			return err
		}
		if own == m.own {
			return nil
		}
		if _, err := m.file.WriteAt(encode(os.Getpid(), &own), 0); err != nil {
			return fmt.Errorf("runtime folder: %w", err)
		}
		m.own = own
		return nil
	})
}

// Own are this member's values; after Leave all are 0.
func (m *Member) Own() Values {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil {
		return Values{}
	}
	return m.own
}

// Census is what the last Do found.
func (m *Member) Census() Census {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

// Leave gives the place up. It is idempotent.
func (m *Member) Leave() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil {
		return nil
	}
	err := m.locked(func() error {
		m.file.Close() // before the removal: Windows removes no open file
		return os.Remove(m.path)
	})
	m.file.Close() // when the lock could not be had; twice does no harm
	m.file = nil
	m.door.Close()
	return err
}

// Survey is what an outsider finds.
func Survey(dir, kind string) (Census, error) {
	dir, door, err := open(dir, kind)
	if err != nil {
		return Census{}, err
	}
	defer door.Close()
	var c Census
	err = withDoor(door, func() (err error) {
		c, err = survey(dir, "")
		return err
	})
	return c, err
}

func (m *Member) locked(f func() error) error { return withDoor(m.door, f) }

// withDoor runs f under the folder's lock. The lock is asked for, not waited for in the kernel, so
// that a stopped process cannot stop all others for good.
func withDoor(door *os.File, f func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		ok, err := lockfile.TryLock(door)
		if err != nil {
			return fmt.Errorf("runtime folder: %s: %w", door.Name(), err)
		}
		if ok {
			break
		}
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return fmt.Errorf("runtime folder: %s has been locked by another process for %v", door.Name(), lockPatience)
		}
	}
	err := f()
	if uerr := lockfile.Unlock(door); err == nil && uerr != nil {
		err = fmt.Errorf("runtime folder: %s: %w", door.Name(), uerr)
	}
	return err
}

// survey looks at all files but the member's own, and removes those of the dead.
func survey(dir, own string) (Census, error) {
	var c Census
	entries, err := os.ReadDir(dir)
	if err != nil {
		return c, fmt.Errorf("runtime folder: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		path := filepath.Join(dir, name)
		switch {
		case path == own || name == doorName:
		case !shareName.MatchString(name):
			c.Foreign++
		default:
			c.look(path)
		}
	}
	return c, nil
}

// look counts one file.
func (c *Census) look(path string) {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil || !info.Mode().IsRegular() || !ours(info) {
		c.Foreign++
		return
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		c.Foreign++
		return
	}
	pid, values, bad := read(f)
	held, err := lockfile.Held(f)
	f.Close() // before a removal: Windows removes no open file
	switch {
	case err != nil:
		c.Broken++
	case bad != nil:
		c.Broken++ // not removed: it may be somebody's
	case !held:
		c.Dead++
		os.Remove(path) // gone already is as well
	default:
		c.Peers = append(c.Peers, Peer{PID: pid, Values: values})
	}
}

func read(f *os.File) (int, Values, error) {
	b := make([]byte, recordSize+1)
	n, err := f.ReadAt(b, 0)
	if err != nil && err != io.EOF {
		return 0, Values{}, err
	}
	return decode(b[:n])
}
