//go:build cuda && linux

package main

import (
	"errors"
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

// nvmlMeter watches the card through NVML, which sees it from outside of the CUDA context. The second
// result gives the library back. It fails where NVML or the device is not to be had.
func nvmlMeter(info gpu.Info) (budget.Meter, func() error, error) {
	m, err := nvml.Open()
	if err != nil {
		return nil, nil, err
	}
	dev, err := m.Find(info.UUID, info.PCI)
	if err != nil {
		return nil, nil, errors.Join(err, m.Close())
	}
	ask := func() (usage, limit int64, err error) {
		mem, err := dev.Memory()
		return mem.Used, mem.Total - mem.Reserved, err
	}
	return budget.MeterFunc("NVML", budget.DeviceLocal, "nvidia-smi Memory-Usage", ask), m.Close, nil
}
