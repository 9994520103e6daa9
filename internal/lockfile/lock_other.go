//go:build !linux && !windows

package lockfile

import "os"

// TryLock fails.
func TryLock(*os.File) (bool, error) { return false, ErrUnsupported }

// Unlock fails.
func Unlock(*os.File) error { return ErrUnsupported }

// Held fails.
func Held(*os.File) (bool, error) { return false, ErrUnsupported }
