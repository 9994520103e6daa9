//go:build windows || linux

package survey

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/nvml"
	"github.com/pinring/pinring/internal/sharedlib"
	"github.com/pinring/pinring/probe"
)

// countDevices asks the driver without making a context. The loader's own words are in the error:
// they say what is wrong.
func countDevices() (int, error) {
	name := "libcuda.so.1"
	if runtime.GOOS == "windows" {
		name = "nvcuda.dll"
	}
	lib, err := sharedlib.Open(name)
	if err != nil {
		return 0, fmt.Errorf("%s does not load: %w", name, err)
	}
	initialize, count := lib.Symbol("cuInit"), lib.Symbol("cuDeviceGetCount")
	if initialize == 0 || count == 0 {
		return 0, fmt.Errorf("%s has no cuInit: it is not the driver's library", name)
	}
	if r := int32(sharedlib.Call(initialize, []uintptr{0})); r != 0 {
		const noDevice = 100 // CUDA_ERROR_NO_DEVICE
		if r == noDevice {
			return 0, nil
		}
		return 0, fmt.Errorf("cuInit: %s (code %d)", cudaWords(lib, r), r)
	}
	n := new(int32)
	if r := int32(sharedlib.Call(count, []uintptr{uintptr(unsafe.Pointer(n))})); r != 0 {
		return 0, fmt.Errorf("cuDeviceGetCount: %s (code %d)", cudaWords(lib, r), r)
	}
	return int(*n), nil
}

// cudaWords are the driver's words for a result.
func cudaWords(lib sharedlib.Library, code int32) string {
	proc := lib.Symbol("cuGetErrorString")
	text := new(*byte)
	if proc == 0 || int32(sharedlib.Call(proc, []uintptr{uintptr(code), uintptr(unsafe.Pointer(text))})) != 0 || *text == nil {
		return "the driver cannot be used"
	}
	n := 0
	for n < 500 && *(*byte)(unsafe.Add(unsafe.Pointer(*text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(*text, n))
}

func openLibrary(name string) error {
	_, err := sharedlib.Open(name)
	return err
}

// mostCards is more than a machine has: a library that is not the driver's may tell any number.
const mostCards = 64

// askDriver asks the management library for everything at once.
func askDriver() (d *probe.Driver, err error) {
	m, err := nvml.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	d = &probe.Driver{}
	if d.Version, err = m.DriverVersion(); err != nil {
		return d, err
	}
	d.CUDA, _ = m.CUDAVersion()
	n, err := m.Count()
	n = min(n, mostCards)
	for i := 0; err == nil && i < n; i++ {
		dev, e := m.At(i)
		if e != nil {
			return d, e
		}
		d.Cards = append(d.Cards, cardFacts(dev))
	}
	return d, err
}

// cardFacts asks a card. What it does not tell stays empty.
func cardFacts(dev *nvml.Device) probe.Card {
	c := probe.Card{Model: budget.ModelLinux}
	c.Name, _ = dev.Name()
	c.PCI, _ = dev.PCI()
	if m, err := dev.Memory(); err == nil {
		c.Total, c.Used, c.Reserved = m.Total, m.Used, m.Reserved
	}
	if m, err := dev.DriverModel(); err == nil {
		c.Model = map[nvml.DriverModel]budget.DriverModel{nvml.Linux: budget.ModelLinux, nvml.WDDM: budget.ModelWDDM,
			nvml.TCC: budget.ModelTCC, nvml.MCDM: budget.ModelMCDM}[m]
	}
	if l, err := dev.Link(); err == nil {
		c.Generation, c.MaxGeneration, c.Width, c.MaxWidth = l.Generation, l.MaxGeneration, l.Width, l.MaxWidth
	}
	list, known, err := dev.Processes()
	c.OthersKnown = known && err == nil
	for _, p := range list {
		o := probe.Other{PID: p.PID, Bytes: -1}
		if p.Known {
			o.Bytes = p.Bytes
		}
		c.Others = append(c.Others, o)
	}
	return c
}
