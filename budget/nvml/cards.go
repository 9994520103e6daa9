//go:build cuda && linux

package nvml

import (
	"errors"
	"fmt"

	nv "github.com/NVIDIA/go-nvml/pkg/nvml"
)

// Count is the number of cards that the library shows to this process.
func (m *Meter) Count() (int, error) {
	n, r := m.lib.DeviceGetCount()
	return n, failed("nvmlDeviceGetCount", r)
}

// At is the card with that number in NVML's order, which is not CUDA's.
func (m *Meter) At(index int) (*Device, error) {
	dev, r := m.lib.DeviceGetHandleByIndex(index)
	if r == nv.ERROR_INVALID_ARGUMENT {
		return nil, fmt.Errorf("nvml: card %d: %w", index, ErrNoDevice)
	}
	return &Device{lib: m.lib, dev: dev}, failed("nvmlDeviceGetHandleByIndex", r)
}

// Name is the card's name, "NVIDIA H200".
func (d *Device) Name() (string, error) {
	s, r := d.dev.GetName()
	return s, failed("nvmlDeviceGetName", r)
}

// PCI is the card's place, "0000:3b:00.0".
func (d *Device) PCI() (string, error) {
	if err := d.lib.Extensions().LookupSymbol("nvmlDeviceGetPciInfo_v3"); err != nil {
		return "", err // calling it would end the process
	}
	p, r := d.dev.GetPciInfo()
	if err := failed("nvmlDeviceGetPciInfo", r); err != nil {
		return "", err
	}
	var b []byte
	for _, c := range p.BusId {
		if c == 0 {
			break
		}
		b = append(b, byte(c))
	}
	return pciAddress(string(b)), nil
}

// Link asks for the PCIe link. What the driver does not tell is 0.
func (d *Device) Link() (Link, error) {
	var l Link
	var errs []error
	for _, q := range []struct {
		name string
		ask  func() (int, nv.Return)
		to   *int
	}{
		{"nvmlDeviceGetCurrPcieLinkGeneration", d.dev.GetCurrPcieLinkGeneration, &l.Generation},
		{"nvmlDeviceGetMaxPcieLinkGeneration", d.dev.GetMaxPcieLinkGeneration, &l.MaxGeneration},
		{"nvmlDeviceGetCurrPcieLinkWidth", d.dev.GetCurrPcieLinkWidth, &l.Width},
		{"nvmlDeviceGetMaxPcieLinkWidth", d.dev.GetMaxPcieLinkWidth, &l.MaxWidth},
	} {
		if d.lib.Extensions().LookupSymbol(q.name) != nil {
			continue // calling it would end the process
		}
		n, r := q.ask()
		if absent(r) {
			continue
		}
		*q.to = n
		errs = append(errs, failed(q.name, r))
	}
	return l, errors.Join(errs...)
}
