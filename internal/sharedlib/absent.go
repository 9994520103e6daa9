//go:build windows || linux

package sharedlib

import "io/fs"

// absentError says, besides the loader's words, that there is no such library.
type absentError struct{ error }

func (e absentError) Is(target error) bool { return target == fs.ErrNotExist }
func (e absentError) Unwrap() error        { return e.error }
