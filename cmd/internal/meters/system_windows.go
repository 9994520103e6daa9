//go:build amd64 || arm64

package meters

import (
	"errors"

	"github.com/pinring/pinring/budget/dxgi"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/nvcuda"
)

// openSystem opens Windows' own meters of a card that Windows manages. The card is found by its LUID:
// DXGI's order of adapters says nothing about CUDA's.
func (s *Set) openSystem(info gpu.Info) {
	if !info.DriverModelIsWDDM {
		return // a card that only computes is no adapter of Windows'
	}
	if info.LUID == [8]byte{} {
		s.add("DXGI", nil, nil, errors.New("the driver tells no LUID of the card (cuDeviceGetLuid), by which DXGI's adapter would be found"))
		return
	}
	o := dxgi.Options{LUID: info.LUID[:]}
	m, err := dxgi.Open(o)
	if err != nil {
		s.add("DXGI", nil, nil, err)
		return
	}
	s.add("DXGI", m, func() error { m.Close(); return nil }, nil)
	o.DedicatedTotal, o.SharedTotal = m.Adapter().DedicatedBytes, m.Adapter().SharedBytes
	c, err := dxgi.OpenCounters(o)
	s.add("PDH", c, func() error { c.Close(); return nil }, err)
}

// openSystemOutside is openSystem for the first card, of which only the driver is asked: no context is
// made.
func (s *Set) openSystemOutside() {
	info, err := nvcuda.Describe(0)
	if err != nil {
		s.add("DXGI", nil, nil, err)
		return
	}
	s.openSystem(info)
}
