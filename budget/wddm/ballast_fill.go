package wddm

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// fill is the first Hold. On failure nothing is held.
func (b *Ballast) fill(bytes int64) error {
	m, err := b.dev.MemInfo()
	if err != nil {
		return err
	}
	room := b.limit - bytes
	if m.Free < room+b.o.Margin {
		return &BallastError{b.dev.Info().Name, ErrCardTooSmall, fmt.Sprintf("%s, and the emulated card needs %s besides a margin of %s",
			budget.FormatBytes(m.Free), budget.FormatBytes(room), budget.FormatBytes(b.o.Margin))}
	}
	b.expect = m.Free
	// Until the tail is known it may be anything: what cannot be had must not be asked for.
	b.tail = min(mostTail, m.Free-room-b.o.Margin)
	for _, step := range []func() error{
		func() error { return b.adjust(bytes) },
		b.findTail,
		func() error { return b.adjust(bytes) },
		func() error { return b.trim(bytes) },
	} {
		if err := step(); err != nil {
			return errors.Join(err, b.empty())
		}
	}
	// What the driver took for managing that much is not from outside.
	b.filled, b.usage, b.outside, b.told = true, bytes, 0, 0
	b.o.Note(fmt.Sprintf("ballast: %s of %s are filled; %s are left: what the emulated card has, and %s for the driver",
		budget.FormatBytes(b.pool.held), b.dev.Info().Name, budget.FormatBytes(b.expect-b.pool.held), budget.FormatBytes(b.o.Margin+b.tail)))
	return nil
}

// mostTail is where the search for the tail ends. A driver that keeps more than that is not
// understood, and its refusals would say nothing.
const mostTail = 512 * budget.MiB

// findTail finds out how much of what is reported as free cannot be had in one piece: twice as much
// each time until the driver agrees, then by halves.
func (b *Ballast) findTail() error {
	free, err := b.look()
	if err != nil {
		return err
	}
	g := b.o.Granule
	free = free / g * g
	refused, given := int64(-1), int64(0) // in granules
	for {
		fits, err := b.fits(free - given*g)
		if err != nil {
			return err
		}
		if fits {
			break
		}
		refused, given = given, max(1, 2*given)
		if given*g > mostTail {
			return fmt.Errorf("the driver reports %d bytes as free and does not give %d of them in one piece; mode=ballast would not show its limit", free, free-refused*g)
		}
	}
	for given-refused > 1 {
		mid := (given + refused) / 2
		fits, err := b.fits(free - mid*g)
		if err != nil {
			return err
		}
		if fits {
			given = mid
		} else {
			refused = mid
		}
	}
	b.tail = given * g
	return nil
}

// fits asks the driver for that much in one piece, and gives it back.
func (b *Ballast) fits(bytes int64) (bool, error) {
	if bytes <= 0 {
		return true, nil
	}
	err := b.probe(bytes)
	if errors.Is(err, gpu.ErrOutOfMemory) {
		return false, nil
	}
	return err == nil, err
}

func (b *Ballast) probe(bytes int64) error {
	m, err := b.dev.Alloc(int(bytes))
	if err != nil {
		return err
	}
	if err := m.Free(); err != nil {
		b.stuck = append(b.stuck, m)
		return err
	}
	return nil
}

// ask lets the driver decide on growth bytes more: with the margin, in one piece.
func (b *Ballast) ask(growth int64) error {
	if err := b.adjust(b.usage); err != nil {
		return err
	}
	if err := b.trim(b.usage); err != nil {
		return err
	}
	return b.probe(growth + b.o.Margin)
}

// mostTrims bounds the corrections of one trim.
const mostTrims = 8

// trim corrects the tail until the driver gives exactly what the emulated card has left and the
// margin, in granules, and not one more: memory that others take in odd sizes shifts what is left by
// less than a granule. It does nothing while the ballast is too small to matter.
func (b *Ballast) trim(bytes int64) error {
	for range mostTrims {
		if b.pool.held == 0 {
			return nil
		}
		want := b.wanted(bytes) - b.tail
		enough, err := b.fits(want)
		if err != nil {
			return err
		}
		more := false
		if enough {
			if more, err = b.fits(want + b.o.Granule); err != nil {
				return err
			}
		}
		switch {
		case !enough:
			b.tail += b.o.Granule
		case more:
			b.tail -= b.o.Granule
		default:
			return nil
		}
		if err := b.adjust(bytes); err != nil {
			return err
		}
	}
	if !b.unsteady {
		b.unsteady = true
		b.o.Note("ballast: what the driver gives keeps changing; it may refuse some granules too early or too late")
	}
	return nil
}

// adjust leaves free on the real card what the emulated one has left with bytes in use, the margin and
// the tail. It fails when the driver has less than it reports; the ballast is then as it was.
func (b *Ballast) adjust(bytes int64) error {
	free, err := b.look()
	if err != nil {
		return err
	}
	spare := free + b.pool.held - b.wanted(bytes)
	target := max(0, spare/b.o.Granule*b.o.Granule)
	if target > b.pool.held {
		err = b.pool.grow(target - b.pool.held)
	} else {
		err = b.pool.shrink(b.pool.held - target)
	}
	b.stats.Most = max(b.stats.Most, b.pool.held)
	return err
}

// wanted is what is to be free on the real card with bytes in use. It is rounded up to the granule
// before the tail, as the driver rounds a request: one for the rest and the margin just fits.
func (b *Ballast) wanted(bytes int64) int64 {
	g := b.o.Granule
	return (b.limit-bytes+b.o.Margin+g-1)/g*g + b.tail
}

// look asks what is free, and books what changed without us.
func (b *Ballast) look() (int64, error) {
	m, err := b.dev.MemInfo()
	if err != nil {
		return 0, err
	}
	all := m.Free + b.pool.held
	b.outside += b.expect - all
	b.expect = all
	if d := b.outside - b.told; b.filled && (d >= outsideTold || d <= -outsideTold) {
		b.told = b.outside
		b.tell(d, m.Free)
	}
	return m.Free, nil
}

func (b *Ballast) tell(change, free int64) {
	what := fmt.Sprintf("%s of the real card were taken", budget.FormatBytes(change))
	if change < 0 {
		what = fmt.Sprintf("%s of the real card were freed", budget.FormatBytes(-change))
	}
	if lack := b.wanted(b.usage) - (free + b.pool.held); lack > 0 {
		b.o.Note(fmt.Sprintf("ballast: %s by others or by the driver; %s are missing now, so device memory may be refused too early", what, budget.FormatBytes(lack)))
		return
	}
	b.o.Note(fmt.Sprintf("ballast: %s by others or by the driver; the ballast makes up for it", what))
}
