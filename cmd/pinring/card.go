package main

import (
	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/cmd/internal/meters"
	"github.com/pinring/pinring/gpu"
)

// card is what the cap on pinned memory needs to know of the device.
type card struct {
	model budget.DriverModel
	total int64 // bytes, 0 when unknown
}

func cardOf(info gpu.Info) card {
	c := meters.CardOf(info)
	return card{model: c.Model, total: c.Total}
}

func hostLimits() budget.HostLimits { return meters.HostLimits() }

func othersBytes(info gpu.Info) func() (int64, bool, error) { return meters.OthersBytes(info) }
