//go:build cuda && linux

package main

import (
	"os"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/nvml"
	"github.com/pinring/pinring/gpu"
)

// cardOf asks NVML about the device. Without NVML the driver model is that of the system.
func cardOf(info gpu.Info) card {
	c := card{model: budget.ModelLinux}
	if onWSL() {
		c.model = budget.ModelWSL2
	}
	if info.Kind != gpu.CUDA {
		return c
	}
	m, err := nvml.Open()
	if err != nil {
		return c
	}
	defer m.Close()
	dev, err := m.Find(info.UUID, info.PCI)
	if err != nil {
		return c
	}
	if mem, err := dev.Memory(); err == nil {
		c.total = mem.Total
	}
	return c
}

// othersBytes asks NVML what other processes use of the card.
func othersBytes(info gpu.Info) func() (int64, bool, error) {
	return func() (int64, bool, error) {
		m, err := nvml.Open()
		if err != nil {
			return 0, false, nil // without NVML it is not known
		}
		defer m.Close()
		dev, err := m.Find(info.UUID, info.PCI)
		if err != nil {
			return 0, false, nil
		}
		return dev.OthersBytes(os.Getpid())
	}
}
