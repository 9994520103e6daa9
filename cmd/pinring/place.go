package main

import (
	"os"
	"path/filepath"
	"strings"
)

// place is where a file really is, or will be: an absolute name without links. What does not exist yet
// keeps its name, below the folder that does.
func place(name string) string {
	if !filepath.IsAbs(name) {
		wd, err := os.Getwd()
		if err != nil {
			return filepath.Clean(name)
		}
		name = wd + string(filepath.Separator) + name // not Join: "link/.." is not what its text says
	}
	if p, err := filepath.EvalSymlinks(name); err == nil {
		return p
	}
	dir, base := filepath.Split(strings.TrimRight(name, string(filepath.Separator)))
	if base == "" {
		return filepath.Clean(name)
	}
	return filepath.Join(place(dir), base)
}

// sameButForCase reports whether two places, which differ in upper and lower case only, are the same
// file: on a file system, or in a folder, that does not tell case apart.
func sameButForCase(a, b string) bool {
	x, y := standing(a), standing(b)
	if !strings.EqualFold(x, y) {
		return false // one of them is deeper: the other's folder is not the same
	}
	xi, err := os.Stat(x)
	if err != nil {
		return false
	}
	yi, err := os.Stat(y)
	if err != nil || !os.SameFile(xi, yi) {
		return false
	}
	return a[len(x):] == b[len(y):] || foldsCase(x)
}

// standing is the deepest folder above the file that exists.
func standing(p string) string {
	for {
		dir := filepath.Dir(p)
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == p {
			return dir
		}
		p = dir
	}
}

// foldsCase reports whether names in a folder are the same in upper and lower case, by trying. A folder
// that cannot be written to does not tell, and need not.
func foldsCase(dir string) bool {
	f, err := os.CreateTemp(dir, ".pinring-Case-*")
	if err != nil {
		return false
	}
	defer os.Remove(f.Name())
	defer f.Close()
	_, err = os.Lstat(filepath.Join(dir, strings.ToLower(filepath.Base(f.Name()))))
	return err == nil
}
