//go:build !cuda || !linux

package main

import (
	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// cardOf knows of no card: this build has only the CPU device.
func cardOf(gpu.Info) card { return card{model: budget.ModelLinux} }

func othersBytes(gpu.Info) func() (int64, bool, error) { return nil }
