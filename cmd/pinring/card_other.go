//go:build !cuda || !linux

package main

import (
	"errors"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// cardOf knows of no card: this build has only the CPU device.
func cardOf(gpu.Info) card { return card{model: budget.ModelLinux} }

func othersBytes(gpu.Info) func() (int64, bool, error) { return nil }

func nvmlMeter(gpu.Info) (budget.Meter, func() error, error) {
	return nil, nil, errors.New("this program was built without NVML")
}
