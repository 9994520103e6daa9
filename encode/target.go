package encode

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/pinring/pinring/internal/lockfile"
)

// target is a file that appears under its name only when it is complete.
type target struct {
	name string // as the user wrote it
	path string // what is written to: a temporary file, or the name itself for devices and pipes
	to   string // where it is renamed to, empty for devices and pipes
	over bool
	done bool
	lock *os.File // the temporary file, locked while we live; nil for devices and pipes
	// careless leaves out the waiting for the disk, for files that come by the thousand.
	careless bool
}

// newTarget checks that the output may be written, and creates the temporary file. What a process
// that died has left of the same output is removed.
func newTarget(name, input string, overwrite bool) (*target, error) {
	t, err := checkTarget(name, input, overwrite)
	if err != nil || t.to == "" {
		return t, err
	}
	if scratchOf(t.to).sweep() {
		return nil, &Error{Output: name, What: "is not written", Err: ErrBusy, Hint: "wait for the other run, or choose another name"}
	}
	return t, t.create()
}

// checkTarget is newTarget without touching the disk.
func checkTarget(name, input string, overwrite bool) (*target, error) {
	t := &target{name: name, over: overwrite}
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		t.to = resolved // a link stays a link, to a new file
	} else {
		t.to = behindLink(name)
	}
	switch st, err := os.Stat(name); {
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ENOTDIR):
		return nil, writeError(name, err) // else it would be found when all is encoded
	case err != nil:
	case sameFile(st, input):
		return nil, &Error{Output: name, What: "is not overwritten", Err: ErrIsInput, Hint: "choose another output"}
	case st.IsDir():
		return nil, &Error{Output: name, What: "is a folder", Hint: "name a file"}
	case !st.Mode().IsRegular():
		t.path, t.to = name, ""
	case !overwrite:
		return nil, &Error{Output: name, What: "is not overwritten", Err: ErrExists, Hint: "say -y to replace it"}
	}
	return t, nil
}

// behindLink is the file that would be made by writing to the name of a link that leads to none.
func behindLink(name string) string {
	for range 40 { // as the system does
		to, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(name)
			to = dir + to
		}
		name = to
	}
	return name
}

func sameFile(st os.FileInfo, input string) bool {
	if input == "" || input == "-" {
		return false
	}
	in, err := os.Stat(input)
	return err == nil && os.SameFile(st, in)
}

// longestBase leaves room for what is added to it in the 255 bytes that a file's name may have.
const longestBase = 200

func shorten(base string) string {
	if len(base) > longestBase {
		return base[:longestBase]
	}
	return base
}

// temporary names are .NAME.XXXXXXXX.pinring-part: hidden, beside the output, and to be told from
// the files of others. A living process holds a lock on its own.
const temporary = ".pinring-part"

func (t *target) create() error {
	dir, base := filepath.Split(t.to)
	for range 100 {
		// Not filepath.Join: it resolves "link/.." by the text, which is another folder.
		p := dir + fmt.Sprintf(".%s.%08x%s", shorten(base), rand.Uint32(), temporary)
		f, err := os.OpenFile(p, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return writeError(t.name, err)
		}
		if !ours(f, p) {
			f.Close()
			continue
		}
		t.path, t.lock = p, f
		return nil
	}
	return &Error{Output: t.name, What: "no free name for a temporary file beside it"}
}

// ours locks the file just made. Another run may have taken it for a leftover before; then it is not
// ours any more. Where there are no locks nobody sweeps, either.
func ours(f *os.File, path string) bool {
	if ok, err := lockfile.TryLock(f); err == nil && !ok {
		return false
	}
	have, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(have, named)
}

// partial changes the name under which the file will appear, to one that is not taken unless files
// may be replaced. It returns the name, empty for devices and pipes.
func (t *target) partial() string {
	if t.to == "" {
		return ""
	}
	ext := filepath.Ext(t.to)
	base := strings.TrimSuffix(t.to, ext) + ".partial"
	t.to = base + ext
	for n := 2; !t.over && exists(t.to); n++ {
		t.to = fmt.Sprintf("%s-%d%s", base, n, ext)
	}
	return t.to
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// commit makes the complete file appear under its name.
func (t *target) commit() error {
	t.done = true
	if t.to == "" {
		return nil
	}
	defer t.lock.Close()
	err := t.sync(t.path)
	if err == nil {
		err = t.rename()
	}
	if err != nil {
		return errors.Join(err, os.Remove(t.path))
	}
	// The name itself must survive a crash, too; some file systems cannot sync a folder.
	_ = t.sync(filepath.Dir(t.to))
	return nil
}

// rename puts the file in its place. Unless it may replace another it goes by a hard link, which
// fails when somebody has made a file of that name meanwhile.
func (t *target) rename() error {
	if t.over {
		return os.Rename(t.path, t.to)
	}
	err := os.Link(t.path, t.to)
	switch {
	case err == nil:
		return os.Remove(t.path)
	case errors.Is(err, os.ErrExist):
		return ErrExists
	}
	if _, err := os.Lstat(t.to); err == nil {
		return ErrExists
	}
	return os.Rename(t.path, t.to) // a file system without hard links
}

func (t *target) sync(path string) error {
	if t.careless {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// abandon removes what was written so far.
func (t *target) abandon() {
	if t.done || t.to == "" || t.path == "" {
		return
	}
	t.done = true
	_ = os.Remove(t.path) // there is nothing to do about a leftover
	t.lock.Close()
}
