package encode

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// target is a file that appears under its name only when it is complete.
type target struct {
	name string // as the user wrote it
	path string // what is written to: a temporary file, or the name itself for devices and pipes
	to   string // where it is renamed to, empty for devices and pipes
	over bool
	done bool
}

// newTarget checks that the output may be written, and creates the temporary file.
func newTarget(name, input string, overwrite bool) (*target, error) {
	t := &target{name: name, over: overwrite}
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		t.to = resolved // a link stays a link, to a new file
	} else {
		t.to = name
	}
	switch st, err := os.Stat(name); {
	case err != nil:
	case sameFile(st, input):
		return nil, &Error{Output: name, What: "is not overwritten", Err: ErrIsInput, Hint: "choose another output"}
	case st.IsDir():
		return nil, &Error{Output: name, What: "is a folder", Hint: "name a file"}
	case !st.Mode().IsRegular():
		t.path, t.to = name, ""
		return t, nil
	case !overwrite:
		return nil, &Error{Output: name, What: "is not overwritten", Err: ErrExists, Hint: "say -y to replace it"}
	}
	return t, t.create()
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

func (t *target) create() error {
	dir, base := filepath.Split(t.to)
	if len(base) > longestBase {
		base = base[:longestBase] // the name of the temporary file is longer than that of the output
	}
	for range 100 {
		// Not filepath.Join: it resolves "link/.." by the text, which is another folder.
		p := dir + fmt.Sprintf(".%s.%08x.part", base, rand.Uint32())
		f, err := os.OpenFile(p, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return writeError(t.name, err)
		}
		t.path = p
		return f.Close()
	}
	return &Error{Output: t.name, What: "no free name for a temporary file beside it"}
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
	if err := syncFile(t.path); err != nil {
		return errors.Join(err, os.Remove(t.path))
	}
	if err := t.rename(); err != nil {
		return errors.Join(err, os.Remove(t.path))
	}
	// The name itself must survive a crash, too; some file systems cannot sync a folder.
	_ = syncFile(filepath.Dir(t.to))
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

func syncFile(path string) error {
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
}
