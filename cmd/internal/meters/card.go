// Package meters joins what a program can learn of a real device's memory on the system that it runs
// on: which meters there are, who manages the card, how much of it there is. It is for commands; the
// packages below budget that it joins do not know each other.
package meters

import (
	"os"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/host"
)

// Card is what the cap on pinned memory needs to know of the device.
type Card struct {
	Model budget.DriverModel
	Total int64 // bytes, 0 when unknown
}

// onWSL reports whether this Linux runs inside Windows, whose display driver then manages the card:
// its device node is there and nowhere else.
func onWSL() bool {
	_, err := os.Stat("/dev/dxg")
	return err == nil
}

// HostLimits asks the host what it lets us have. What it does not tell does not limit.
func HostLimits() budget.HostLimits {
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
