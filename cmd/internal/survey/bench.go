package survey

import (
	"errors"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/cmd/internal/meters"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/open"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

// bench is an opened device with what sees its memory.
type bench struct {
	dev    gpu.Device
	meters []budget.Meter
	set    *meters.Set // nil under emulation
	model  budget.DriverModel
	clock  budget.Clock
	card   *wddm.Card // nil without --emulate
	why    string
}

// open opens the device of the settings, or the emulated card. withDevice false leaves the device
// alone, so that no context takes memory.
func (p *Program) open(s *settings, withDevice bool) (*bench, error) {
	b := &bench{clock: budget.NewWall()}
	if s.emulate != "" {
		return b, p.emulate(b, s)
	}
	if withDevice {
		var err error
		if b.dev, b.why, err = p.Device(s.device); err != nil {
			return nil, err
		}
		p.Say("%s", b.why)
	}
	return b, b.openMeters()
}

// openHost is open for a program that has no device at all, which must not be an end: the host's RAM, and
// a card that only NVML sees. It fails like open where the user asked for a device by its name.
func (p *Program) openHost(s *settings) (*bench, error) {
	b, err := p.open(s, true)
	var none *open.UnavailableError
	if !errors.As(err, &none) || s.device != "auto" || s.emulate != "" {
		return b, err
	}
	p.Say("%v", err)
	return p.open(s, false)
}

// openMeters opens what there is to see the memory of the device with.
func (b *bench) openMeters() error {
	if b.dev == nil {
		b.set = outside()
	} else if info := b.dev.Info(); info.Kind == gpu.CUDA {
		b.set, b.model = meters.Open(b.dev), meters.CardOf(info).Model
	} else {
		b.set = meters.OpenHost()
	}
	b.meters = b.set.List()
	return nil
}

// emulate makes the emulated card: on paper, or on a real card that is filled.
func (p *Program) emulate(b *bench, s *settings) error {
	params, err := wddm.Parse(s.emulate)
	if err != nil {
		return usage("profiles: article-model, article-video, card-24g, nonlocal-32g; changes follow as ,key=value", "%s", err)
	}
	if params.Mode == wddm.BallastMode {
		err = p.fill(b, s)
	} else {
		b.dev = probe.Paper()
		b.card, err = wddm.Emulate(b.dev, params, wddm.Options{})
	}
	if err != nil {
		return err
	}
	b.dev, b.clock = b.card, b.card
	b.meters, b.model = []budget.Meter{b.card, emulatedMemInfo{b.card}}, b.card.DriverModel()
	return nil
}

// fill makes the emulated card of a real one.
func (p *Program) fill(b *bench, s *settings) error {
	if p.Ballast == nil {
		return usage("mode=ledger emulates the card without a real one", "%s cannot fill a real card (mode=ballast)", p.Name)
	}
	dev, why, err := p.Device(s.device)
	if err != nil {
		return err
	}
	p.Say("%s", why)
	filled, err := p.Ballast(dev, s.emulate, s.force)
	if err != nil {
		return errors.Join(err, dev.Close())
	}
	card, ok := filled.(*wddm.Card)
	if !ok {
		return errors.Join(errors.New("the filled card is no emulated one"), filled.Close())
	}
	b.card = card
	return nil
}

// close gives everything back.
func (b *bench) close() error {
	errs := []error{b.set.Close()}
	if b.dev != nil {
		errs = append(errs, b.dev.Close())
	}
	return errors.Join(errs...)
}

// rig is the bench for experiments. On paper there is nothing to touch.
func (b *bench) rig() *probe.Rig {
	return &probe.Rig{Device: b.dev, Meters: b.meters, Clock: b.clock, Touch: b.card == nil || b.card.Params().Mode == wddm.BallastMode}
}

// device describes the device for a report.
func (b *bench) device() *report.Device {
	if b.dev == nil {
		return nil
	}
	i := b.dev.Info()
	d := &report.Device{Kind: string(i.Kind), Name: i.Name}
	if m := b.model; m != budget.ModelUnknown && b.card == nil && i.Kind == gpu.CUDA {
		name := m.String()
		d.DriverModel = &name
	}
	return d
}

// emulation describes the emulated card for a report, nil without one.
func (b *bench) emulation() *report.Emulation {
	if b.card == nil {
		return nil
	}
	p := b.card.Params()
	return &report.Emulation{Profile: p.String(), Mode: p.Mode.String(), Clock: p.Clock.String(), Segment: p.Segment.String()}
}

// missing says, one line each, which meters cannot be had, and why.
func (b *bench) missing() []string {
	out := []string{}
	if b.set != nil {
		for _, m := range b.set.Missing {
			out = append(out, m.Name+": "+m.Err.Error())
		}
	}
	return out
}

// emulatedMemInfo asks the emulated card as cuMemGetInfo would be: it knows the card, and no budget.
type emulatedMemInfo struct{ card *wddm.Card }

func (emulatedMemInfo) Name() string { return "emulated cuMemGetInfo" }

func (m emulatedMemInfo) Read(buf []budget.Reading) ([]budget.Reading, error) {
	info, err := m.card.MemInfo()
	if err != nil {
		return buf, err
	}
	r := budget.MakeReading(budget.DeviceLocal, info.Total-info.Free, info.Total, "emulated cuMemGetInfo", "nvidia-smi Memory-Usage")
	r.Emulated = true
	return append(buf, r), nil
}
