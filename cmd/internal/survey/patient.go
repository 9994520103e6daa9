package survey

import (
	"context"
	"errors"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/meters"
	"github.com/pinring/pinring/probe"
)

// errSilent is a library of a driver that did not answer: those of cards that failed have been seen to hang.
var errSilent = errors.New("no answer in time")

// within runs f for as long at most, and then returns errSilent and leaves it behind.
func within[T any](limit time.Duration, f func() (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, errSilent)
	defer cancel()
	return cli.Await(ctx, f)
}

// outside opens what sees a card without a context on it; without the card where its library hangs.
func outside() *meters.Set {
	s, err := within(probe.DefaultDeadline, func() (*meters.Set, error) { return meters.OpenOutside(), nil })
	if err != nil {
		s = meters.OpenHost()
		s.Missing = append(s.Missing, meters.Missing{Name: "NVML", Err: err})
	}
	return s
}

// patient is a meter that may hang, and then is not asked any more.
type patient struct {
	budget.Meter
	limit  time.Duration
	silent bool
}

// patients makes all of them so.
func patients(list []budget.Meter) (out []*patient) {
	for _, m := range list {
		out = append(out, &patient{Meter: m, limit: probe.DefaultDeadline})
	}
	return out
}

// read is what the meter says now, nothing when it has nothing to say.
func (p *patient) read() []budget.Reading {
	if p.silent {
		return nil
	}
	got, err := within(p.limit, func() ([]budget.Reading, error) { return budget.Read(p.Meter) })
	p.silent = errors.Is(err, errSilent)
	return got
}
