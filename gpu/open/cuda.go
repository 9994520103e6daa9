//go:build cuda && linux && cgo

package open

import (
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cuda"
)

func openCUDA(index int, o Options) (gpu.Device, string, error) {
	open := cuda.Open
	if o.Ahead {
		open = cuda.Begin
	}
	d, err := open(index)
	if err != nil {
		return nil, "", err
	}
	return d, cuda.DriverVersion(), nil
}

func driverThere() bool { return cuda.Loads() }
