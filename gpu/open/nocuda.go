//go:build !windows && !(linux && !cgo) && !(cuda && linux)

package open

import (
	"errors"

	"github.com/pinring/pinring/gpu"
)

var errBuiltWithout = errors.New("this program was built without CUDA (tag cuda)")

func openCUDA(int, Options) (gpu.Device, string, error) { return nil, "", errBuiltWithout }

func driverThere() bool { return false }

// WithoutCUDA is why this program can open no CUDA device, whatever the machine has; nil: it can.
func WithoutCUDA() error { return errBuiltWithout }
