package wddm

import (
	"fmt"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// BallastOptions are what filling a real card needs. The zero value refuses a card that others use.
type BallastOptions struct {
	// Margin is what stays free on the real card besides what the emulated one has left, for the
	// driver itself: local memory, code that it loads late, printf buffers. 0 is 128 MiB.
	Margin int64
	// Granule is what the driver rounds allocations to; 0 is 2 MiB, which all of today's drivers use.
	Granule int64
	// OthersBytes tells what other processes use of the card, false when that is not known. NVML
	// knows (budget/nvml). Without it, or when it is not known, all that is in use beyond 2 GiB
	// (a context, and what the driver keeps) counts as others'.
	OthersBytes func() (int64, bool, error)
	// Force fills the card even though others use it: they will find it full.
	Force bool
	// Warm is called once the card is ours and before it is filled: load the modules and launch
	// their kernels once, since a driver takes memory for both when they are first used. What is
	// loaded has to stay loaded.
	Warm func(gpu.Device) error
	// Note gets what the user should know, a line each; nil discards it. It must not call the
	// ballast or the card.
	Note func(string)
	// Dir is the runtime folder that holds the card's lock; empty is the user's own.
	Dir string
}

const (
	defaultMargin  = 128 * budget.MiB
	defaultGranule = 2 * budget.MiB
	// allowance is what an otherwise idle card may have in use: our own context and the driver's
	// share. On an H200 these are 0.6 GB.
	allowance = 2 * budget.GiB
)

// complete fills in the defaults, or says what is wrong.
func (o *BallastOptions) complete() error {
	if o.Margin == 0 {
		o.Margin = defaultMargin
	}
	if o.Granule == 0 {
		o.Granule = defaultGranule
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	switch {
	case o.Margin < 0 || o.Margin > mostBytes:
		return fmt.Errorf("ballast: a margin of %d bytes is not between 0 and 1 PiB", o.Margin)
	case o.Granule < 4096 || o.Granule > budget.GiB:
		return fmt.Errorf("ballast: a granule of %d bytes is not between 4 KiB and 1 GiB", o.Granule)
	}
	return nil
}

// others is what other processes use, as well as can be known, and how it is known.
func (o *BallastOptions) others(dev gpu.Device) (int64, string, error) {
	if o.OthersBytes != nil {
		n, known, err := o.OthersBytes()
		if err != nil {
			return 0, "", fmt.Errorf("ballast: what other processes use of the card: %w", err)
		}
		if known {
			return n, "as the driver lists them", nil
		}
	}
	m, err := dev.MemInfo()
	if err != nil {
		return 0, "", fmt.Errorf("ballast: %w", err)
	}
	return max(0, m.Total-m.Free-allowance), "the driver lists no processes; this is what is in use beyond " + budget.FormatBytes(allowance), nil
}
