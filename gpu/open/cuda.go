//go:build cuda && linux && cgo

package open

import (
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cuda"
)

func openCUDA(index int) (gpu.Device, string, error) {
	d, err := cuda.Open(index)
	if err != nil {
		return nil, "", err
	}
	return d, cuda.DriverVersion(), nil
}
