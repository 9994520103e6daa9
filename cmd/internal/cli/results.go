package cli

import (
	"os"
	"path/filepath"
)

// CheckResults refuses names of result files that cannot be meant, and files that cannot be written, before
// minutes are spent on what would be in them. page is an HTML file and json one for scripts, "" for none and
// "-" for standard output.
func CheckResults(page, json string) error {
	switch {
	case page == "-":
		return Usage("name a file", "--report writes a page, not to standard output")
	case page != "" && json != "-" && sameFile(page, json):
		return Usage("", "--report and --json name the same file, %s", page)
	}
	for _, name := range []string{page, json} {
		if name == "" || name == "-" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return Usage("", "%s: there is no folder %s", name, filepath.Dir(name))
		}
		if err := CanWrite(name); err != nil {
			return &OutputError{Err: err}
		}
	}
	return nil
}

// sameFile reports whether two names lead to one file, whether it is there yet or not.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, err := os.Stat(a)
	y, other := os.Stat(b)
	if err == nil && other == nil && os.SameFile(x, y) {
		return x.Mode().IsRegular() // /dev/null may be named twice
	}
	return whole(a) == whole(b) && err != nil
}

// whole is a name from the root on, with the folder's links followed.
func whole(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(dir, filepath.Base(name))
	}
	return name
}
