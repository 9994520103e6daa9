package roster

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// DefaultDir is the runtime folder: $PINRING_RUNTIME_DIR, else pinring in $XDG_RUNTIME_DIR, else a
// folder of this user below the system's folder for temporary files.
func DefaultDir() string {
	if d := os.Getenv("PINRING_RUNTIME_DIR"); d != "" {
		return d
	}
	if d := os.Getenv("XDG_RUNTIME_DIR"); d != "" && filepath.IsAbs(d) {
		return filepath.Join(d, "pinring")
	}
	if runtime.GOOS == "windows" {
		return filepath.Join(os.TempDir(), "pinring") // the folder is the user's own
	}
	return filepath.Join(os.TempDir(), "pinring-"+strconv.Itoa(os.Getuid()))
}

// prepare makes the folder and checks that nobody else can put files there.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("runtime folder: %w; set PINRING_RUNTIME_DIR to a folder that can be written", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("runtime folder: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("runtime folder %s is not a folder; set PINRING_RUNTIME_DIR to another", dir)
	}
	if !ours(info) {
		return fmt.Errorf("runtime folder %s belongs to another user; set PINRING_RUNTIME_DIR to another", dir)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("runtime folder %s can be written by others (mode %v); set PINRING_RUNTIME_DIR to another", dir, info.Mode().Perm())
	}
	return nil
}

// openFile opens a file of the folder. It follows no link: where the system cannot promise that (Windows)
// a link that is there already is refused.
func openFile(path string, flag int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("runtime folder: %s is no ordinary file; remove it", path)
	}
	f, err := os.OpenFile(path, flag|noFollow, 0o600)
	if err != nil {
		return nil, fmt.Errorf("runtime folder: %w", err)
	}
	return f, nil
}
