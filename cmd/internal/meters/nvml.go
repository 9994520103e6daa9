//go:build windows || linux

package meters

import (
	"errors"
	"os"
	"runtime"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/nvml"
	"github.com/pinring/pinring/gpu"
)

// CardOf asks NVML about the device. Without NVML the driver model is that of the system. NVML takes a while to
// open, and on Linux, where no cap depends on the card, it is not asked.
func CardOf(info gpu.Info) Card {
	c := Card{Model: systemModel(info)}
	if info.Kind != gpu.CUDA || c.Model == budget.ModelLinux {
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
		c.Total = mem.Total
	}
	if model, err := dev.DriverModel(); err == nil && runtime.GOOS == "windows" {
		c.Model = modelOf(model)
	}
	return c
}

// systemModel is what the system and the driver's attributes tell.
func systemModel(info gpu.Info) budget.DriverModel {
	switch {
	case info.DriverModelIsWDDM:
		return budget.ModelWDDM
	case runtime.GOOS == "windows" && info.Kind == gpu.CUDA:
		return budget.ModelTCC
	case onWSL():
		return budget.ModelWSL2
	}
	return budget.ModelLinux
}

func modelOf(m nvml.DriverModel) budget.DriverModel {
	switch m {
	case nvml.WDDM:
		return budget.ModelWDDM
	case nvml.MCDM:
		return budget.ModelMCDM
	case nvml.TCC:
		return budget.ModelTCC
	}
	return budget.ModelUnknown
}

// OthersBytes asks NVML what other processes use of the card.
func OthersBytes(info gpu.Info) func() (int64, bool, error) {
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
	return memoryOf(dev), m.Close, nil
}

func memoryOf(dev *nvml.Device) budget.Meter {
	ask := func() (usage, limit int64, err error) {
		mem, err := dev.Memory()
		return mem.Used, mem.Total - mem.Reserved, err
	}
	return budget.MeterFunc("NVML", budget.DeviceLocal, "nvidia-smi Memory-Usage", ask)
}

// outsideMeter is nvmlMeter for the first card in NVML's order.
func outsideMeter() (budget.Meter, func() error, error) {
	m, err := nvml.Open()
	if err != nil {
		return nil, nil, err
	}
	dev, err := m.At(0)
	if err != nil {
		return nil, nil, errors.Join(err, m.Close())
	}
	return memoryOf(dev), m.Close, nil
}
