package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pinring/pinring/gpu"
)

// Copies is how fast host memory of one kind is copied, in bytes per second on the device's clock.
type Copies struct {
	Kind  gpu.HostKind
	Bytes int // of one copy
	// Up is host to device, Down device to host, each alone. Both is the sum of the two at once, 0 where
	// the kind cannot be copied asynchronously.
	Up, Down, Both float64
}

// ErrUnified says that there is nothing to measure: on this device host memory is device memory.
var ErrUnified = errors.New("host memory is device memory here: nothing is copied")

// copyRounds are taken of each figure; copiesPerRound copies stand between two events.
const copyRounds, copiesPerRound = 5, 16

// MeasureCopies copies bytes again and again, out of and into memory of the kind.
func MeasureCopies(ctx context.Context, dev gpu.Device, kind gpu.HostKind, bytes int) (Copies, error) {
	c := Copies{Kind: kind, Bytes: bytes}
	if dev.Info().Unified {
		return c, ErrUnified
	}
	var k kit
	defer k.free()
	up, down := k.lane(dev, kind, bytes), k.lane(dev, kind, bytes)
	if k.err != nil {
		return c, fmt.Errorf("copies of %s memory: %w", kind, k.err)
	}
	up.copies(gpu.OpCopyH2D, copiesPerRound)
	down.copies(gpu.OpCopyD2H, copiesPerRound)
	var err error
	if c.Up, err = rate(ctx, up); err != nil {
		return c, err
	}
	if c.Down, err = rate(ctx, down); err != nil {
		return c, err
	}
	if kind != gpu.Pageable {
		c.Both, err = rate(ctx, up, down)
	}
	return c, err
}

// rate submits the lanes' lists together and returns the bytes per second of all, on the clock of the
// device. The first round warms up.
func rate(ctx context.Context, lanes ...*lane) (float64, error) {
	var rounds []float64
	for i := range copyRounds + 1 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		d, err := together(lanes)
		if err != nil {
			return 0, err
		}
		if i > 0 && d > 0 {
			rounds = append(rounds, float64(len(lanes)*copiesPerRound*lanes[0].bytes)/d.Seconds())
		}
	}
	return median(rounds), nil
}

// together is the time from the first lane's beginning to the last one's end.
func together(lanes []*lane) (longest time.Duration, err error) {
	for _, l := range lanes {
		if err := l.stream.Submit(&l.cmds); err != nil {
			return 0, err
		}
	}
	for _, l := range lanes {
		if err := l.end.Synchronize(); err != nil {
			return 0, err
		}
		d, err := l.end.Since(lanes[0].begin)
		if err != nil {
			return 0, err
		}
		longest = max(longest, d)
	}
	return longest, nil
}
