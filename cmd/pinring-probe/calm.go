package main

import (
	"context"
	"errors"
	"time"

	"github.com/pinring/pinring/gpu"
)

// calm is how much of the card was in use before the first row. Where memory comes back late, a row
// would otherwise begin with what the row before has freed.
type calm struct{ used int64 }

// slack is what other programs may take meanwhile without being waited for, and patience how long.
const (
	slack    = 16 << 20
	patience = time.Minute
)

// newCalm measures, and closes the device.
func newCalm(dev gpu.Device) (calm, error) {
	if dev.Info().Unified {
		return calm{}, dev.Close()
	}
	used, err := inUse(dev)
	return calm{used}, errors.Join(err, dev.Close())
}

func inUse(dev gpu.Device) (int64, error) {
	m, err := dev.MemInfo()
	return m.Total - m.Free, err
}

// wait waits until no more is in use than before the first row, for a minute at most, and says how long
// that took.
func (c calm) wait(ctx context.Context, open func(string) (gpu.Device, string, error), want string) (waited time.Duration, err error) {
	dev, _, err := open(want)
	if err != nil || dev.Info().Unified {
		return 0, errors.Join(err, closeIf(dev))
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	begun := time.Now()
	for {
		used, err := inUse(dev)
		waited = time.Since(begun)
		if err != nil || used <= c.used+slack || waited > patience {
			return waited, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return waited, context.Cause(ctx)
		}
	}
}

func closeIf(dev gpu.Device) error {
	if dev == nil {
		return nil
	}
	return dev.Close()
}
