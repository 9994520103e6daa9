//go:build !linux || !cgo

package open

import (
	"errors"

	"github.com/pinring/pinring/gpu"
)

func openCPU(Options) (gpu.Device, error) {
	return nil, errors.New("this program was built without the CPU device, which needs Linux and cgo")
}
