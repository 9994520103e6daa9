package wddm

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pinring/pinring/budget"
)

// key is one parameter of the command line.
type key struct {
	name, help string
	set        func(*Params, string) error
	get        func(*Params) string
}

// keys are all parameters, in the order of the documentation.
var keys = []key{
	choiceKey("mode", "ledger: refused by arithmetic; ballast: a real card is filled", modeNames, func(p *Params) *Mode { return &p.Mode }),
	choiceKey("clock", "media: frame index ÷ rate; wall", clockNames, func(p *Params) *ClockKind { return &p.Clock }),
	choiceKey("segment", "where pinned memory is charged: local, nonlocal, both", segmentNames, func(p *Params) *Segment { return &p.Segment }),
	{"card", "name of a card that processes share (implies clock=wall)", setCard, func(p *Params) string { return p.Card }},
	sizeKey("total", "memory of the card", func(p *Params) *int64 { return &p.Total }),
	sizeKey("others", "in use by the desktop and other programs", func(p *Params) *int64 { return &p.Others }),
	sizeKey("context", "in use by this process's context", func(p *Params) *int64 { return &p.Context }),
	sizeKey("resident", "in use by a model's weights, for example", func(p *Params) *int64 { return &p.Resident }),
	sizeKey("budget", "budget of the process, context and resident included", func(p *Params) *int64 { return &p.Budget }),
	sizeKey("headroom", "instead of budget: free once the set-up is over", func(p *Params) *int64 { return &p.Headroom }),
	sizeKey("shared-total", "limit of shared GPU memory; 0: half of ram", func(p *Params) *int64 { return &p.SharedTotal }),
	sizeKey("shared-others", "shared GPU memory of other programs", func(p *Params) *int64 { return &p.SharedOthers }),
	sizeKey("shared-resident", "shared GPU memory that stays in use", func(p *Params) *int64 { return &p.SharedResident }),
	sizeKey("ram", "the host's memory; 0: it does not limit", func(p *Params) *int64 { return &p.RAM }),
	sizeKey("ram-others", "host memory in use by other programs", func(p *Params) *int64 { return &p.RAMOthers }),
	ratioKey("charge-small", "charge per pinned byte, up to 512 MiB", func(p *Params) *float64 { return &p.ChargeSmall }),
	ratioKey("charge-large", "charge per pinned byte, from 1 GiB", func(p *Params) *float64 { return &p.ChargeLarge }),
	ratioKey("managed", "share of that charge for managed memory", func(p *Params) *float64 { return &p.Managed }),
	ratioKey("mapped", "share of that charge for mapped memory", func(p *Params) *float64 { return &p.Mapped }),
	timeKey("reclaim", "how long freed pinned memory stays in use", func(p *Params) *time.Duration { return &p.Reclaim }),
	timeKey("reclaim-jitter", "up to this much longer, at random", func(p *Params) *time.Duration { return &p.ReclaimJitter }),
	{"seed", "of the jitter", setSeed, func(p *Params) string { return strconv.FormatUint(p.Seed, 10) }},
	{"sticky", "on: after one refusal all pinned memory is refused", setSticky, func(p *Params) string { return onOff(p.Sticky) }},
	{"in-flight", "frames after which a frame's memory is free (media clock)", setInFlight, func(p *Params) string { return strconv.Itoa(p.InFlight) }},
	{"pressure", "BYTES@T+D: other programs take BYTES at T for D; may be repeated, none clears", setPressure, getPressure},
}

func choiceKey[T ~uint8](name, help string, names []string, field func(*Params) *T) key {
	return key{name, help, func(p *Params, v string) error {
		for i, n := range names {
			if n == v {
				*field(p) = T(i)
				return nil
			}
		}
		return fmt.Errorf("not one of %s", strings.Join(names, ", "))
	}, func(p *Params) string { return nameOf(names, int(*field(p))) }}
}

func sizeKey(name, help string, field func(*Params) *int64) key {
	return key{name, help, func(p *Params, v string) (err error) {
		*field(p), err = budget.ParseBytes(v)
		return err
	}, func(p *Params) string { return strconv.FormatInt(*field(p), 10) }}
}

func ratioKey(name, help string, field func(*Params) *float64) key {
	return key{name, help, func(p *Params, v string) error {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f >= 0 && f <= 16) {
			return fmt.Errorf("not a number from 0 to 16")
		}
		*field(p) = f
		return nil
	}, func(p *Params) string { return strconv.FormatFloat(*field(p), 'g', -1, 64) }}
}

func timeKey(name, help string, field func(*Params) *time.Duration) key {
	return key{name, help, func(p *Params, v string) (err error) {
		*field(p), err = parseTime(v)
		return err
	}, func(p *Params) string { return field(p).String() }}
}

// parseTime reads a time with a unit ("10s", "250ms"), or a number of seconds.
func parseTime(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		f, ferr := strconv.ParseFloat(s, 64)
		if ferr != nil || math.IsNaN(f) || f > 1e6 {
			return 0, fmt.Errorf("%q is not a time such as 10s or 250ms", s)
		}
		d = time.Duration(math.Round(f * float64(time.Second)))
	}
	if d < 0 || d > 1e6*time.Second {
		return 0, fmt.Errorf("the time %q is not between 0 and a million seconds", s)
	}
	return d, nil
}

func setSeed(p *Params, v string) (err error) {
	if p.Seed, err = strconv.ParseUint(v, 10, 64); err != nil {
		return fmt.Errorf("not a whole number")
	}
	return nil
}

func setInFlight(p *Params, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 10000 {
		return fmt.Errorf("not a number of frames from 1 to 10000")
	}
	p.InFlight = n
	return nil
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

func setSticky(p *Params, v string) error {
	if v != "on" && v != "off" {
		return fmt.Errorf("neither on nor off")
	}
	p.Sticky = v == "on"
	return nil
}

var cardName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$`)

func setCard(p *Params, v string) error {
	if !cardName.MatchString(v) {
		return fmt.Errorf("not a name of 1 to 32 letters, digits, - and _")
	}
	p.Card = v
	return nil
}

const mostPressures = 100

// setPressure reads BYTES@T or BYTES@T+D, or none.
func setPressure(p *Params, v string) (err error) {
	if v == "none" {
		p.Pressure = nil
		return nil
	}
	size, when, ok := strings.Cut(v, "@")
	if !ok {
		return fmt.Errorf("not BYTES@T+D, such as 1GB@5s+10s")
	}
	var x Pressure
	if x.Bytes, err = budget.ParseBytes(size); err != nil {
		return err
	}
	at, during, limited := strings.Cut(when, "+")
	if x.At, err = parseTime(at); err != nil {
		return err
	}
	if limited {
		if x.For, err = parseTime(during); err != nil {
			return err
		}
		if x.For == 0 {
			return fmt.Errorf("a pressure of no duration; leave +D out for one that stays")
		}
	}
	if len(p.Pressure) >= mostPressures {
		return fmt.Errorf("more than %d pressures", mostPressures)
	}
	// A copy, so that no two Params share the slice.
	p.Pressure = append(append([]Pressure(nil), p.Pressure...), x)
	return nil
}

func getPressure(p *Params) string {
	var all []string
	for _, x := range p.Pressure {
		all = append(all, x.String())
	}
	return strings.Join(all, " ")
}

// String is the pressure as [Parse] reads it.
func (x Pressure) String() string {
	s := fmt.Sprintf("%d@%v", x.Bytes, x.At)
	if x.For > 0 {
		s += fmt.Sprintf("+%v", x.For)
	}
	return s
}
