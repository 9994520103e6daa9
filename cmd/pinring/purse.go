package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/host"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// purse is what a process knows of its budget: an emulated card if there is one, the meters, the
// guard. What a single input sees of it is its account.
type purse struct {
	card *wddm.Card // nil without --emulate
	filling
	host   *host.Meter
	nvml   func() error // gives NVML back; nil without it
	panel  *budget.Panel
	seen   *budget.Panel // what the device itself told last, for the series: the guard's panel adds estimates
	guard  *budget.Guard
	domain budget.Domain // that the series show
}

// meterInterval is how old a reading of a real meter may get: asking the driver costs tens of
// microseconds, and in between the panel adds what we take ourselves.
const meterInterval = 100 * time.Millisecond

// emulate makes dev an emulated card when the user wants one, for so many inputs at once.
func (p *purse) emulate(c config.Config, dev gpu.Device, jobs int, r *report.Run) (gpu.Device, error) {
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
	if jobs > 1 && params.Clock == wddm.MediaClock {
		params.Clock = wddm.WallClock // its frames would have to come in order
		p.filling.note("several inputs at once: the emulated card runs on the wall clock")
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
// that the CPU device allocates is page-locked. inFlight is how many frames there may be at once.
func (p *purse) open(c config.Config, dev gpu.Device, inFlight int, say func(string)) error {
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
	cfg.MaxInFlight = max(64, inFlight) // the pipelines' lanes bound the frames; the guard only lowers that
	p.guard, err = budget.NewGuard(cfg, p.panel, clock, slog.New(sayer{say}))
	return err
}

func (p *purse) attachReal(dev gpu.Device, say func(string)) {
	card := func() budget.Meter {
		return budget.MeterFunc("cuMemGetInfo", budget.DeviceLocal, "nvidia-smi Memory-Usage, Task Manager Dedicated GPU memory",
			func() (usage, limit int64, err error) {
				m, err := dev.MemInfo()
				return m.Total - m.Free, m.Total, err
			})
	}
	p.panel.Attach(card(), meterInterval)
	if m, back, err := nvmlMeter(dev.Info()); err != nil {
		say(fmt.Sprintf("the guard goes on without NVML: %v", err))
	} else {
		p.nvml = back
		p.panel.Attach(m, meterInterval)
	}
	p.seen = budget.NewPanel()
	p.seen.Attach(card(), meterInterval)
	if h, err := host.New(host.Options{}); err == nil {
		p.host = h
		p.panel.Attach(h, meterInterval)
	}
}

// start ends the set-up: rings and device buffers are made.
func (p *purse) start(rate [2]int) {
	if p.card != nil {
		p.card.Start(rate[0], rate[1])
	}
}

func (p *purse) close() error {
	if p.host != nil {
		p.host.Close()
	}
	if p.nvml != nil {
		return errors.Join(p.nvml(), p.filling.close())
	}
	return p.filling.close()
}

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

// sayer brings the guard's log to the user as lines of talk.
type sayer struct{ say func(string) }

func (s sayer) Enabled(context.Context, slog.Level) bool { return true }
func (s sayer) WithAttrs([]slog.Attr) slog.Handler       { return s }
func (s sayer) WithGroup(string) slog.Handler            { return s }
func (s sayer) Handle(_ context.Context, r slog.Record) error {
	s.say(r.Message)
	return nil
}

// explainOOM says what an emulated card refused so that a stranger understands it.
func explainOOM(r *wddm.Refusal, oom *gpu.OutOfMemoryError) string {
	s := fmt.Sprintf("the emulated card (%s) refused %s bytes %s: %s of the %s that may be in use are",
		r.Profile, humanize.Comma(oom.Requested), purpose(oom.Call), budget.FormatBytes(r.Usage), budget.FormatBytes(r.Budget))
	if r.Pending > 0 {
		s += fmt.Sprintf("; %s of that is freed but not reclaimed yet", budget.FormatBytes(r.Pending))
	}
	if r.Sticky {
		s += "; pinned memory was refused before, and is refused from then on"
	}
	return s
}

// purpose is what memory was asked for, by the call. In ballast mode the call is the driver's, which
// stands for whatever the program asked.
func purpose(call string) string {
	switch call {
	case "cuMemAlloc (emulated)":
		return "of device memory"
	case "cuDevicePrimaryCtxRetain (emulated)":
		return "for the context of this program"
	}
	return "of pinned memory"
}
