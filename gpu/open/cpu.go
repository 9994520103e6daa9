//go:build linux && cgo

package open

import (
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
)

func openCPU(o Options) (gpu.Device, error) {
	d, err := cpu.Open(cpu.Options{Cores: o.Cores})
	if err != nil {
		return nil, err
	}
	return d, nil
}
