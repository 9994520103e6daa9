package probe_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
)

// scarce is a rig without a card whose host has a gigabyte left.
func scarce() *probe.Rig {
	host := budget.MeterFunc("a host", budget.HostRAM, "", func() (usage, limit int64, err error) { return 3e9, 4e9, nil })
	return &probe.Rig{Device: probe.Paper(), Meters: []budget.Meter{host}, Clock: budget.NewWall()}
}

// Memory that the host has not is refused, not taken: the system would end this program, or another one.
func TestHoldLeavesTheHostSome(t *testing.T) {
	for bytes, fits := range map[int64]bool{9e8: true, 9e8 + 1: false, 1 << 40: false} {
		steps := 0
		_, err := scarce().Hold(context.Background(), gpu.Pinned, bytes, func(probe.Step) { steps++ })
		var e *probe.ScarceError
		if fits != (err == nil) || fits == (steps == 0) || !fits && (!errors.As(err, &e) || !errors.Is(err, gpu.ErrOutOfMemory) || e.Free != 1e9) {
			t.Errorf("%d bytes: %d steps, %v", bytes, steps, err)
		}
	}
}

// The buffers of frames take no more than a third either.
func TestChurnLeavesTheHostSome(t *testing.T) {
	for bytes, fits := range map[int]bool{111_111_111: true, 111_111_112: false} {
		c, err := scarce().Churn(context.Background(), probe.ChurnOptions{Bytes: bytes, Frames: 2, Rate: 1000})
		if err != nil || fits != (c != nil) {
			t.Errorf("%d bytes: %+v, %v", bytes, c, err)
		}
	}
}
