//go:build !linux && !windows

package host

import (
	"errors"
	"runtime"
)

// New fails: there is no meter for this system.
func New(Options) (*Meter, error) {
	return nil, errors.New("host memory cannot be measured on " + runtime.GOOS)
}
