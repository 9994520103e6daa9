package main

import (
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/open"
)

// openDevice opens the device that the user wants. Its errors are the exit codes for usage and device.
func openDevice(want string) (gpu.Device, string, error) { return open.Device(want, open.Options{}) }
