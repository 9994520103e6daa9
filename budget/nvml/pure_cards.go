//go:build windows || (linux && !cuda)

package nvml

import (
	"errors"
	"fmt"
	"unsafe"
)

// Count is the number of cards that the library shows to this process.
func (m *Meter) Count() (int, error) {
	n := new(uint32)
	err := m.lib.failed("nvmlDeviceGetCount", m.lib.call("nvmlDeviceGetCount_v2", uintptr(unsafe.Pointer(n))))
	return int(*n), err
}

// At is the card with that number in NVML's order, which is not CUDA's.
func (m *Meter) At(index int) (*Device, error) {
	d := &Device{lib: m.lib}
	r := m.lib.call("nvmlDeviceGetHandleByIndex_v2", uintptr(index), uintptr(unsafe.Pointer(&d.handle)))
	if r == errInvalidArgument {
		return nil, fmt.Errorf("nvml: card %d: %w", index, ErrNoDevice)
	}
	return d, m.lib.failed("nvmlDeviceGetHandleByIndex", r)
}

// Name is the card's name, "NVIDIA H200".
func (d *Device) Name() (string, error) {
	text := new([96]byte)
	err := d.lib.failed("nvmlDeviceGetName", d.lib.call("nvmlDeviceGetName", d.handle, uintptr(unsafe.Pointer(text)), uintptr(len(text)-1)))
	return cString(&text[0]), err
}

// pciInfo is nvmlPciInfo_t.
type pciInfo struct {
	legacy                               [16]byte
	domain, bus, device, id, subSystemID uint32
	busID                                [32]byte
}

// PCI is the card's place, "0000:3b:00.0".
func (d *Device) PCI() (string, error) {
	p := new(pciInfo)
	err := d.lib.failed("nvmlDeviceGetPciInfo", d.lib.call("nvmlDeviceGetPciInfo_v3", d.handle, uintptr(unsafe.Pointer(p))))
	if err != nil {
		return "", err
	}
	p.busID[len(p.busID)-1] = 0
	return pciAddress(cString(&p.busID[0])), nil
}

// Link asks for the PCIe link. What the driver does not tell is 0.
func (d *Device) Link() (Link, error) {
	var l Link
	var errs []error
	for _, q := range []struct {
		name string
		to   *int
	}{
		{"nvmlDeviceGetCurrPcieLinkGeneration", &l.Generation},
		{"nvmlDeviceGetMaxPcieLinkGeneration", &l.MaxGeneration},
		{"nvmlDeviceGetCurrPcieLinkWidth", &l.Width},
		{"nvmlDeviceGetMaxPcieLinkWidth", &l.MaxWidth},
	} {
		n := new(uint32)
		r := d.lib.call(q.name, d.handle, uintptr(unsafe.Pointer(n)))
		if absent(r) {
			continue
		}
		*q.to = int(*n)
		errs = append(errs, d.lib.failed(q.name, r))
	}
	return l, errors.Join(errs...)
}
