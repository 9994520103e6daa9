//go:build windows || linux

package nvml

import "errors"

// ErrNoDevice is matched by the error of Find when no device has the identity.
var ErrNoDevice = errors.New("no such device")

// Memory is the card's memory in bytes. Used does not contain Reserved, which the driver keeps for
// itself, except where the driver is too old to tell (before 510): Reserved is then 0.
type Memory struct{ Total, Free, Used, Reserved int64 }

// DriverModel is how the system drives the card.
type DriverModel string

// The driver models. WDDM, TCC and MCDM are Windows'.
const (
	Linux DriverModel = "linux"
	WDDM  DriverModel = "wddm"
	TCC   DriverModel = "tcc"
	MCDM  DriverModel = "mcdm"
)

// Process is a process that has a context on the card. Its number is the one outside of
// containers. Bytes is absent (Known is false) under WDDM and without permission.
type Process struct {
	PID   int
	Bytes int64
	Known bool
}

// OthersBytes is what the processes except pid use together. It is absent (false) when the driver
// does not tell of every one of them.
func (d *Device) OthersBytes(pid int) (int64, bool, error) {
	all, known, err := d.Processes()
	if err != nil || !known {
		return 0, false, err
	}
	var sum int64
	for _, p := range all {
		if p.PID == pid {
			continue
		}
		if !p.Known {
			return 0, false, nil
		}
		sum += p.Bytes
	}
	return sum, true, nil
}
