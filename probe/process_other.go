//go:build !linux && !windows

package probe

import (
	"errors"
	"runtime"
)

// ReadProcess fails: processes cannot be looked at on this system.
func ReadProcess(int) (Usage, error) {
	return Usage{}, errors.New("processes cannot be looked at on " + runtime.GOOS)
}

// ProcessName is not known.
func ProcessName(int) string { return "" }
