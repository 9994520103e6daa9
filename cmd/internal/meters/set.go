package meters

import (
	"errors"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/host"
	"github.com/pinring/pinring/gpu"
)

// Interval is how old a reading of a real meter may get: asking the driver costs tens of
// microseconds, and in between the panel adds what we take ourselves.
const Interval = 100 * time.Millisecond

// Set are the meters of a real device and its host. To be closed, after the last reading.
type Set struct {
	meters  []budget.Meter
	closers []func() error
	Missing []Missing // what this system should have and does not
}

// Missing is a meter that could not be had.
type Missing struct {
	Name string
	Err  error
}

// OfDevice asks the device itself (cuMemGetInfo).
func OfDevice(dev gpu.Device) budget.Meter {
	return budget.MeterFunc("cuMemGetInfo", budget.DeviceLocal, "nvidia-smi Memory-Usage, Task Manager Dedicated GPU memory",
		func() (usage, limit int64, err error) {
			m, err := dev.MemInfo()
			return m.Total - m.Free, m.Total, err
		})
}

// Open opens all meters of the device that the system has: the driver's own answer, the host's RAM, and what
// [OpenOthers] does.
func Open(dev gpu.Device) *Set {
	s := OpenQuick(dev)
	s.openOthers(dev.Info())
	return s
}

// OpenQuick opens those that take no time: the driver's own answer and the host's RAM.
func OpenQuick(dev gpu.Device) *Set {
	s := &Set{meters: []budget.Meter{OfDevice(dev)}}
	h, err := host.New(host.Options{})
	s.add("host memory", h, func() error { h.Close(); return nil }, err)
	return s
}

// OpenOthers opens those that OpenQuick leaves: NVML, and on Windows DXGI's budgets and the performance
// counters.
func OpenOthers(info gpu.Info) *Set {
	s := &Set{}
	s.openOthers(info)
	return s
}

func (s *Set) openOthers(info gpu.Info) {
	m, back, err := nvmlMeter(info)
	s.add("NVML", m, back, err)
	s.openSystem(info)
}

// OpenOutside opens what sees a card without a context on it, which would take memory of its own: NVML
// for the first card, and the host's RAM.
func OpenOutside() *Set {
	s := &Set{}
	m, back, err := outsideMeter()
	s.add("NVML", m, back, err)
	s.openSystemOutside()
	h, err := host.New(host.Options{})
	s.add("host memory", h, func() error { h.Close(); return nil }, err)
	return s
}

// OpenHost opens the host's RAM only: there is no card.
func OpenHost() *Set {
	s := &Set{}
	h, err := host.New(host.Options{})
	s.add("host memory", h, func() error { h.Close(); return nil }, err)
	return s
}

// List is the meters, in the order in which they were opened.
func (s *Set) List() []budget.Meter { return s.meters }

func (s *Set) add(name string, m budget.Meter, back func() error, err error) {
	if err != nil {
		s.Missing = append(s.Missing, Missing{name, err})
		return
	}
	s.meters = append(s.meters, m)
	s.closers = append(s.closers, back)
}

// slowInterval is for the counters, which are collected by another service of the system.
const slowInterval = time.Second

// Attach gives the meters to a panel.
func (s *Set) Attach(p *budget.Panel, interval time.Duration) {
	for _, m := range s.meters {
		if m.Name() == "PDH" {
			p.Attach(m, max(interval, slowInterval))
			continue
		}
		p.Attach(m, interval)
	}
}

// Close gives the libraries back. Closing a nil Set, or again, does nothing.
func (s *Set) Close() error {
	if s == nil {
		return nil
	}
	var errs []error
	for _, back := range s.closers {
		errs = append(errs, back())
	}
	s.closers = nil
	return errors.Join(errs...)
}
