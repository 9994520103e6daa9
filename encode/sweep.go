package encode

import (
	"os"
	"path/filepath"
	"regexp"

	"github.com/pinring/pinring/internal/lockfile"
)

var temporaryName = regexp.MustCompile(`^\.(.+)\.[0-9a-f]{8}\` + temporary + `$`)

// scratch are the temporary files of an output.
type scratch struct {
	dir string
	// wanted reports whether a temporary file belongs to the output; base is what it is named after.
	wanted func(base string) bool
}

// scratchOf finds the temporary files of the file to, a complete path.
func scratchOf(to string) scratch {
	dir, base := filepath.Split(to)
	return scratch{dir, func(b string) bool { return b == shorten(base) }}
}

// each calls f with the path of each of them.
func (s scratch) each(f func(path, base string)) {
	dir := s.dir
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // creating the file will fail, and say why
	}
	for _, e := range entries {
		m := temporaryName.FindStringSubmatch(e.Name())
		if m != nil && e.Type().IsRegular() && s.wanted(m[1]) {
			f(filepath.Join(dir, e.Name()), m[1])
		}
	}
}

// held reports whether a living process holds one.
func (s scratch) held() (held bool) {
	s.each(func(path, _ string) { held = held || lockHeld(path) })
	return held
}

// sweep removes those that no living process holds, and reports whether one is held. Files that it cannot
// read or lock stay.
func (s scratch) sweep() (held bool) {
	s.each(func(path, _ string) { held = !removeStale(path) || held })
	return held
}

// BeingWritten reports whether a living run is writing the output, a file's name. It changes nothing.
func BeingWritten(output string) bool {
	if IsImage(output) {
		p, err := parsePattern(output)
		return err == nil && p.scratch().held()
	}
	t, err := checkTarget(output, "", true)
	return err == nil && t.to != "" && scratchOf(t.to).held()
}

// Exists reports whether the output, a file's name, is there as a whole. A sequence of images is when there
// are images from the number start on, and no run has left it unfinished or is writing it.
func Exists(output string, start int) bool {
	if IsImage(output) {
		if p, err := parsePattern(output); err == nil && p.numbered {
			return p.count(int64(start)) > 0 && !p.unfinished()
		}
	}
	_, err := os.Stat(output)
	return err == nil
}

func lockHeld(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // gone, or another user's
	}
	defer f.Close()
	held, err := lockfile.Held(f)
	return err == nil && held
}

// removeStale removes a temporary file unless somebody holds it; false says that somebody does.
func removeStale(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return true // gone, or another user's
	}
	defer f.Close()
	ok, err := lockfile.TryLock(f)
	if err != nil {
		return true // no locks here: nothing can be said
	}
	if ok {
		_ = os.Remove(path) // a leftover that stays does no harm
	}
	return ok
}
