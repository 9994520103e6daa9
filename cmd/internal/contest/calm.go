package contest

import (
	"context"
	"errors"
	"time"

	"github.com/pinring/pinring/gpu"
)

// Calm is how much of a card was in use before the first row. Where memory comes back late, a row
// would otherwise begin with what the row before has freed.
type Calm struct {
	open  func(want string) (gpu.Device, string, error)
	want  string
	used  int64
	limit time.Duration
}

// slack is what other programs may take meanwhile without being waited for, and patience how long to
// wait at most.
const (
	slack    = 16 << 20
	patience = time.Minute
)

// NewCalm measures. A device whose memory is the host's is calm at all times.
func NewCalm(open func(want string) (gpu.Device, string, error), want string) (*Calm, error) {
	c := &Calm{open: open, want: want, limit: patience}
	dev, _, err := open(want)
	if err != nil {
		return nil, err
	}
	if dev.Info().Unified {
		c.limit = 0
		return c, dev.Close()
	}
	c.used, err = inUse(dev)
	return c, errors.Join(err, dev.Close())
}

func inUse(dev gpu.Device) (int64, error) {
	m, err := dev.MemInfo()
	return m.Total - m.Free, err
}

// Wait waits until no more is in use than before the first row, for a minute at most, and says how long
// that took.
func (c *Calm) Wait(ctx context.Context) (waited time.Duration, err error) {
	if c.limit == 0 {
		return 0, nil
	}
	dev, _, err := c.open(c.want)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	begun := time.Now()
	for {
		used, err := inUse(dev)
		waited = time.Since(begun)
		if err != nil || used <= c.used+slack || waited > c.limit {
			return waited, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return waited, context.Cause(ctx)
		}
	}
}

// Told is Wait that tells the user of a wait that can be noticed.
func (c *Calm) Told(ctx context.Context, say func(format string, args ...any)) error {
	waited, err := c.Wait(ctx)
	if waited >= time.Second {
		say("waited %.1f s for the memory of the row before to come back", waited.Seconds())
	}
	return err
}
