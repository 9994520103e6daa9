//go:build !cuda || !linux || !cgo

package open

import (
	"errors"

	"github.com/pinring/pinring/gpu"
)

func openCUDA(int) (gpu.Device, string, error) {
	return nil, "", errors.New("this program was built without CUDA (tag cuda)")
}
