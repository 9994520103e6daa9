//go:build !windows && !(linux && !cgo) && !(cuda && linux)

package open

import (
	"errors"

	"github.com/pinring/pinring/gpu"
)

func openCUDA(int, Options) (gpu.Device, string, error) {
	return nil, "", errors.New("this program was built without CUDA (tag cuda)")
}

func driverThere() bool { return false }
