package main

import (
	"errors"

	"github.com/pinring/pinring/cmd/internal/trial"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/open"
)

// openDevice opens the device that the user wants. Its errors are the exit codes for usage and device.
func openDevice(want string) (gpu.Device, string, error) { return open.Device(want, open.Options{}) }

// openForCard is openDevice where a card is emulated: that needs no GPU, and plays on plain host memory
// where there is none and this build has no CPU device.
func openForCard(want string) (gpu.Device, string, error) {
	dev, why, err := openDevice(want)
	var none *open.UnavailableError
	if errors.As(err, &none) && (want == "auto" || want == "cpu") {
		return trial.Stage(), "device: host memory, for the emulated card: there is no GPU here", nil
	}
	return dev, why, err
}
