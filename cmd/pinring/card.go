package main

import (
	"os"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/host"
)

// card is what the cap on pinned memory needs to know of the device.
type card struct {
	model budget.DriverModel
	total int64 // bytes, 0 when unknown
}

// onWSL reports whether this Linux runs inside Windows, whose display driver then manages the card:
// its device node is there and nowhere else.
func onWSL() bool {
	_, err := os.Stat("/dev/dxg")
	return err == nil
}

// hostLimits asks the host what it lets us have. What it does not tell does not limit.
func hostLimits() budget.HostLimits {
	m, err := host.New(host.Options{})
	if err != nil {
		return budget.HostLimits{}
	}
	defer m.Close()
	l, err := m.Limits()
	if err != nil {
		return budget.HostLimits{}
	}
	return l
}
