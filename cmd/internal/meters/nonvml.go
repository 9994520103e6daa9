//go:build !windows && !linux

package meters

import (
	"errors"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// CardOf knows of no card on this system.
func CardOf(gpu.Info) Card { return Card{Model: budget.ModelUnknown} }

// OthersBytes is nil: nobody can be asked.
func OthersBytes(gpu.Info) func() (int64, bool, error) { return nil }

func nvmlMeter(gpu.Info) (budget.Meter, func() error, error) {
	return nil, nil, errors.New("NVML is not used on this system")
}

func outsideMeter() (budget.Meter, func() error, error) { return nvmlMeter(gpu.Info{}) }
