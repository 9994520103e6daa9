//go:build windows || (linux && !cgo)

package open

import (
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/nvcuda"
)

// openCUDA is the device in pure Go. The driver's version is not known to it.
func openCUDA(index int, _ Options) (gpu.Device, string, error) {
	d, err := nvcuda.Open(index)
	if err != nil {
		return nil, "", err
	}
	return d, "", nil
}

func driverThere() bool { return false }
