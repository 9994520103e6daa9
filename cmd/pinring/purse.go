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

// purse is what a run knows of its budget: an emulated card if there is one, the meters, the guard.
type purse struct {
	card *wddm.Card // nil without --emulate
	filling
	host   *host.Meter
	nvml   func() error // gives NVML back; nil without it
	panel  *budget.Panel
	seen   *budget.Panel // what the device itself told last, for the series: the guard's panel adds estimates
	guard  *budget.Guard
	series series
	domain budget.Domain // that the series shows
	buf    []budget.Reading
}

// meterInterval is how old a reading of a real meter may get: asking the driver costs tens of
// microseconds, and in between the panel adds what we take ourselves.
const meterInterval = 100 * time.Millisecond

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

// sample notes usage and budget after frame n has taken its memory.
func (p *purse) sample(n int64) {
	if p.card != nil {
		s := p.card.Snapshot()
		d := s.Domain[p.domain]
		p.series.add(report.Sample{Frame: n, T: s.At.Seconds(), Usage: d.Usage, Budget: d.Budget})
		return
	}
	if p.seen == nil || !p.series.wants(n) {
		return
	}
	now := p.guard.Clock().Now()
	p.buf = p.seen.Read(now, p.buf[:0])
	for _, r := range p.buf {
		if r.Domain == p.domain {
			p.series.add(report.Sample{Frame: n, T: now.Seconds(), Usage: r.Usage, Budget: r.Budget})
			return
		}
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

// tell writes into the report what the guard saw and did.
func (p *purse) tell(r *report.Run) {
	r.Series = p.series.points
	if len(r.Series) > 0 {
		domain := p.domain.String()
		r.SeriesDomain = &domain
	}
	if p.guard == nil {
		return
	}
	s := p.guard.Summary()
	r.Guard = &report.Guard{Mode: s.Mode.String(), Policy: s.Policy.String()}
	if s.Mode == budget.Off {
		return
	}
	if !s.Limited {
		return // no meter worked
	}
	b := &report.Budget{Limiting: s.Limiting.Domain.String(), MinHeadroomBytes: s.Limiting.Headroom, MinHeadroomFrame: &s.LowestAt,
		Source: &s.Limiting.Source, Twin: &s.Limiting.Twin, ThrottledSeconds: s.Throttled.Seconds(),
		TransitionCount: &s.TransitionCount, Transitions: []report.Transition{}}
	for _, t := range s.Transitions {
		headroom := t.Headroom
		b.Transitions = append(b.Transitions, report.Transition{Frame: t.Frame, T: t.At.Seconds(), From: t.From.String(), To: t.To.String(),
			Level: t.Level.String(), Domain: t.Domain.String(), HeadroomBytes: &headroom, Why: t.Why})
	}
	r.Budget = b
}

// mostSamples bounds the series of a report.
const mostSamples = 2000

// series keeps samples of a run of unknown length: when there are too many, every other one goes,
// and from then on only every other frame is sampled.
type series struct {
	points []report.Sample
	step   int64 // frames from one sample to the next; 0 is 1
}

func (s *series) wants(n int64) bool { return s.step <= 1 || n%s.step == 0 }

func (s *series) add(p report.Sample) {
	if !s.wants(p.Frame) {
		return
	}
	if len(s.points) == mostSamples {
		s.step = max(2*s.step, 2)
		kept := s.points[:0]
		for _, q := range s.points {
			if s.wants(q.Frame) {
				kept = append(kept, q)
			}
		}
		s.points = kept
		if !s.wants(p.Frame) {
			return
		}
	}
	s.points = append(s.points, p)
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
