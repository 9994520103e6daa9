// Package purse is what a program knows of its budget while frames run: the emulated card if there is
// one, the meters, the guard.
package purse

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/meters"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// Purse is a process's. What a single run sees of it is its [Account].
type Purse struct {
	Card  *wddm.Card    // nil without --emulate
	Guard *budget.Guard // nil where there is nothing to guard

	late   *latecomers   // meters that join while frames run; nil as real is
	real   *meters.Set   // of the device and its host; nil for an emulated card, and the CPU
	seen   *budget.Panel // what the device itself told last, for the series: the guard's panel adds estimates
	domain budget.Domain // that the series show
}

// Maker makes the emulated card of a device.
type Maker func(dev gpu.Device, p wddm.Params) (*wddm.Card, error)

// OnPaper is the Maker of programs that do not fill a real card.
func OnPaper(dev gpu.Device, p wddm.Params) (*wddm.Card, error) {
	if p.Mode == wddm.BallastMode {
		return nil, cli.Usage("pinring on Linux does", "mode=ballast: this program does not fill a real card")
	}
	return wddm.Emulate(dev, p, wddm.Options{})
}

// Emulate makes dev an emulated card when the user wants one, for so many inputs at once. The card
// closes dev.
func (p *Purse) Emulate(c config.Config, dev gpu.Device, jobs int, make Maker, say func(string), r *report.Run) (gpu.Device, error) {
	if c.Budget.Emulate == "" {
		return dev, nil
	}
	params, err := wddm.Parse(string(c.Budget.Emulate))
	if err != nil {
		return dev, cli.Usage("profiles: article-model, article-video, card-24g, nonlocal-32g; changes follow as ,key=value", "%s", err)
	}
	if n := int(c.Staging.InFlight); n > params.InFlight {
		return dev, cli.Usage("say --in-flight or ,in-flight=N", "--in-flight %d is more than the emulated card's in-flight=%d", n, params.InFlight)
	}
	if jobs > 1 && params.Clock == wddm.MediaClock {
		params.Clock = wddm.WallClock // its frames would have to come in order
		say("several inputs at once: the emulated card runs on the wall clock")
	}
	r.Emulated = true // also when the card refuses to be made
	r.Emulation = &report.Emulation{Profile: params.Profile, Mode: params.Mode.String(), Clock: params.Clock.String(), Segment: params.Segment.String()}
	if dev.Info().Unified {
		dev = gpu.Discrete(dev) // the host plays the card: copies are made
	}
	card, err := make(dev, params)
	if err != nil {
		return dev, err
	}
	p.Card = card
	if params.Segment == wddm.NonLocal {
		p.domain = budget.DeviceShared
	}
	return card, nil
}

// Open attaches the meters and makes the guard. Without anything to read there is no guard: nothing
// that the CPU device allocates is page-locked. inFlight is how many frames there may be at once.
func (p *Purse) Open(c config.Config, dev gpu.Device, inFlight int, say func(string)) error {
	panel := budget.NewPanel()
	panel.OnMeter = func(e budget.MeterEvent) { say(e.String()) }
	var clock budget.Clock = budget.NewWall()
	switch {
	case p.Card != nil:
		panel.Attach(p.Card, 0)
		clock = p.Card
	case dev.Info().Kind == gpu.CUDA:
		p.attachReal(panel, dev, say)
	default:
		return nil
	}
	cfg := budget.DefaultConfig()
	var err, err2 error
	cfg.Mode, err = budget.ParseMode(string(c.Budget.Guard))
	cfg.Policy, err2 = budget.ParsePolicy(string(c.Budget.Policy))
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	cfg.MaxInFlight = max(64, inFlight) // the pipelines' lanes bound the frames; the guard only lowers that
	p.Guard, err = budget.NewGuard(cfg, panel, clock, slog.New(cli.Log(say)))
	return err
}

// attachReal attaches what there is to ask about a real device.
func (p *Purse) attachReal(panel *budget.Panel, dev gpu.Device, say func(string)) {
	p.real = meters.OpenQuick(dev)
	attach(panel, p.real, say)
	p.late = join(panel, dev.Info(), say)
	p.seen = budget.NewPanel()
	p.seen.Attach(meters.OfDevice(dev), meters.Interval)
}

// Start ends the set-up: rings and device buffers are made.
func (p *Purse) Start(rate frame.Rational) {
	if p.Card != nil {
		p.Card.Start(rate.Num, rate.Den)
	}
}

// Live is the guard's phase for a progress line, empty without a guard that acts.
func (p *Purse) Live() string {
	if p.Guard == nil {
		return ""
	}
	phase, _, _, lowest := p.Guard.Live()
	if lowest.Source == "" {
		return ""
	}
	return fmt.Sprintf("guard %s, %s left at the least", phase, budget.FormatBytes(lowest.Headroom))
}

// Close gives the meters back. The emulated card is the device, and closed with it.
func (p *Purse) Close() error { return errors.Join(p.late.close(), p.real.Close()) }
