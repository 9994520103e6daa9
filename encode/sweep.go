package encode

import (
	"os"
	"path/filepath"
	"regexp"

	"github.com/pinring/pinring/internal/lockfile"
)

var temporaryName = regexp.MustCompile(`^\.(.+)\.[0-9a-f]{8}\` + temporary + `$`)

// BeingWritten reports whether a living run is writing the output, a file's name. What a run that died
// has left of it is removed.
func BeingWritten(output string) bool {
	if IsImage(output) {
		p, err := parsePattern(output)
		return err == nil && sweep(p.dir, func(base string) bool { _, ok := p.number(base); return ok })
	}
	t, err := checkTarget(output, "", true)
	if err != nil || t.to == "" {
		return false
	}
	dir, base := filepath.Split(t.to)
	return sweep(dir, func(b string) bool { return b == shorten(base) })
}

// sweep removes the temporary files in dir, of outputs whose names are wanted, that no living process
// holds. It reports whether one is held. Files that it cannot read or lock stay.
func sweep(dir string, wanted func(base string) bool) (busy bool) {
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false // creating the file will fail, and say why
	}
	for _, e := range entries {
		m := temporaryName.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() || !wanted(m[1]) {
			continue
		}
		busy = !removeStale(filepath.Join(dir, e.Name())) || busy
	}
	return busy
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
