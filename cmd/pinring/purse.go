package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/cmd/internal/meters"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// purse is what a run knows of its budget: an emulated card if there is one, the meters, the guard.
type purse struct {
	card *wddm.Card // nil without --emulate
	filling
	real   *meters.Set // of the device and its host; nil for an emulated card, and the CPU
	panel  *budget.Panel
	seen   *budget.Panel // what the device itself told last, for the series: the guard's panel adds estimates
	guard  *budget.Guard
	series tally.Series
	domain budget.Domain // that the series shows
	buf    []budget.Reading
}

// emulate makes dev an emulated card when the user wants one.
func (p *purse) emulate(c config.Config, dev gpu.Device, r *report.Run) (gpu.Device, error) {
	text := string(c.Budget.Emulate)
	if text == "" {
		return dev, nil
	}
	params, err := wddm.Parse(text)
	if err != nil {
		return dev, usage("profiles: article-model, article-video, card-24g, nonlocal-32g; changes follow as ,key=value", "%s", err)
	}
	if n := int(c.Staging.InFlight); n > params.InFlight {
		return dev, usage("say --in-flight or ,in-flight=N", "--in-flight %d is more than the emulated card's in-flight=%d", n, params.InFlight)
	}
	r.Emulated = true // also when the card refuses to be made
	r.Emulation = &report.Emulation{Profile: params.Profile, Mode: params.Mode.String(), Clock: params.Clock.String(), Segment: params.Segment.String()}
	if dev.Info().Unified {
		dev = gpu.Discrete(dev) // the host plays the card: copies are made
	}
	card, err := p.filling.emulateCard(dev, params)
	if err != nil {
		return dev, err
	}
	p.card = card
	p.domain = budget.DeviceLocal
	if params.Segment == wddm.NonLocal {
		p.domain = budget.DeviceShared
	}
	return card, nil
}

// open attaches the meters and makes the guard. Without anything to read there is no guard: nothing
// that the CPU device allocates is page-locked.
func (p *purse) open(c config.Config, dev gpu.Device, say func(string)) error {
	p.panel = budget.NewPanel()
	p.panel.OnMeter = func(e budget.MeterEvent) { say(e.String()) }
	var clock budget.Clock = budget.NewWall()
	switch {
	case p.card != nil:
		p.panel.Attach(p.card, 0)
		clock = p.card
	case dev.Info().Kind == gpu.CUDA:
		p.attachReal(dev, say)
	default:
		return nil
	}
	cfg := budget.DefaultConfig()
	var err error
	if cfg.Mode, err = budget.ParseMode(string(c.Budget.Guard)); err != nil {
		return err
	}
	if cfg.Policy, err = budget.ParsePolicy(string(c.Budget.Policy)); err != nil {
		return err
	}
	cfg.MaxInFlight = 64 // the pipeline's lanes bound the frames; the guard only lowers that
	p.guard, err = budget.NewGuard(cfg, p.panel, clock, slog.New(cli.Log(say)))
	return err
}

// attachReal attaches what there is to ask about a real device.
func (p *purse) attachReal(dev gpu.Device, say func(string)) {
	p.real = meters.Open(dev)
	for _, m := range p.real.Missing {
		say(fmt.Sprintf("the guard goes on without %s: %v", m.Name, m.Err))
	}
	p.real.Attach(p.panel, meters.Interval)
	p.seen = budget.NewPanel()
	p.seen.Attach(meters.OfDevice(dev), meters.Interval)
}

// start ends the set-up: rings and device buffers are made.
func (p *purse) start(rate [2]int) {
	if p.card != nil {
		p.card.Start(rate[0], rate[1])
	}
}

// sample notes usage and budget after frame n has taken its memory.
func (p *purse) sample(n int64) {
	if p.card != nil {
		s := p.card.Snapshot()
		d := s.Domain[p.domain]
		p.series.Add(report.Sample{Frame: n, T: s.At.Seconds(), Usage: d.Usage, Budget: d.Budget})
		return
	}
	if p.seen == nil || !p.series.Wants(n) {
		return
	}
	now := p.guard.Clock().Now()
	p.buf = p.seen.Read(now, p.buf[:0])
	for _, r := range p.buf {
		if r.Domain == p.domain {
			p.series.Add(report.Sample{Frame: n, T: now.Seconds(), Usage: r.Usage, Budget: r.Budget})
			return
		}
	}
}

func (p *purse) close() error { return errors.Join(p.real.Close(), p.filling.close()) }

// live is the guard's phase for the progress line, empty without a guard that acts.
func (p *purse) live() string {
	if p.guard == nil {
		return ""
	}
	phase, _, _, lowest := p.guard.Live()
	if lowest.Source == "" {
		return ""
	}
	return fmt.Sprintf("guard %s, %s left at the least", phase, budget.FormatBytes(lowest.Headroom))
}

// tell writes into the report what the guard saw and did.
func (p *purse) tell(r *report.Run) {
	r.Series = p.series.Points
	if len(r.Series) > 0 {
		domain := p.domain.String()
		r.SeriesDomain = &domain
	}
	tally.Guard(p.guard, r)
}
