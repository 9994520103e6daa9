package main

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/pinring/pinring/budget/quota"
	"github.com/pinring/pinring/cmd/internal/purse"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/open"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
	"github.com/pinring/pinring/transfer"
)

// stock is what the real packages have for all inputs of a process: the device with the kernels on it,
// the budget, and the limit on staging memory. After open it is read only, but for lost.
type stock struct {
	config  config.Config
	jobs    int // inputs that are processed at once
	talk    *talk
	dev     gpu.Device
	ahead   bool        // the device's context may still be made while the input is opened
	last    bool        // the process ends with it
	card    *arriving   // the card that will follow the CPU; nil when none will
	program gpu.Program // the kernels, as far as they were loaded
	load    func() (gpu.Program, error)
	purse   purse.Purse
	filling filling         // of a real card, where that is the emulated one
	quota   *quota.Share    // of the host's pinned memory; nil when it is not shared
	limit   int64           // on staging memory of all inputs together, bytes; 0: none
	arena   *transfer.Arena // the staging memory of all inputs; nil before the limit is known
	lost    atomic.Bool     // the device is: nothing may be freed
	known   report.Run      // what every report says of the device
}

var _ depot = (*stock)(nil)

func (s *stock) open(ctx context.Context, ahead bool) error {
	s.ahead, s.last = ahead, s.last || ahead
	if ahead && s.config.Device.Want == config.Auto && open.DriverThere() {
		s.card = s.await(ctx)
		s.config.Device.Want, s.ahead = "cpu", false
	}
	if err := at(stageDevice, s.openDevice()); err != nil {
		return err
	}
	return at(stageStaging, s.openMemory(ctx))
}

func (s *stock) begin(j *job) journey {
	return &way{stock: s, j: j}
}

// describe copies the pointers: reports do not change what is in common.
func (s *stock) describe(r *report.Run) {
	r.Device, r.Emulated, r.Emulation = s.known.Device, s.known.Emulated, s.known.Emulation
}

func (s *stock) say(line string) { s.talk.say("%s", line) }

// openDevice opens the device that the user wants.
func openDevice(want string) (gpu.Device, string, error) { return openWith(want, open.Options{}) }

func openWith(want string, o open.Options) (gpu.Device, string, error) {
	dev, why, err := open.Device(want, o)
	var syntax *open.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, "", usage("", "%s", err)
	case err != nil:
		return nil, "", unavailable(err)
	}
	return dev, why, nil
}

func unavailable(err error) error {
	return &hinted{err, "--device auto takes the CPU when there is no GPU"}
}

// openDevice opens the device, or the card that is emulated on it, and the budget.
func (s *stock) openDevice() error {
	dev, why, err := openWith(string(s.config.Device.Want), open.Options{Ahead: s.ahead})
	if err != nil {
		return err
	}
	s.dev = dev
	if s.card != nil {
		why += " until a card is there"
	}
	s.say(why)
	info := dev.Info()
	s.known.Device = &report.Device{Kind: string(info.Kind), Name: info.Name}
	s.filling = filling{force: bool(s.config.Budget.Force), note: s.say}
	if s.dev, err = s.purse.Emulate(s.config, dev, s.jobs, s.filling.emulateCard, s.say, &s.known); err != nil {
		return s.explainMemory(err, -1)
	}
	if info.Kind == gpu.CUDA && s.purse.Card == nil {
		model := cardOf(info).model.String()
		s.known.Device.DriverModel = &model
	}
	s.remark(info)
	return s.purse.Open(s.config, s.dev, s.jobs*s.inFlight(), s.say)
}

// remark says what the user should know of the device.
func (s *stock) remark(info gpu.Info) {
	if c := s.purse.Card; c != nil {
		s.say("emulated: the card " + c.Params().Profile + "; what it refuses and reports is arithmetic, not this machine")
	} else if info.Unified && s.config.Staging.Mode != "reuse" {
		s.say("on the CPU device all staging modes are the same thing: nothing is copied (--emulate plays a card)")
	}
}

// openMemory decides how much staging memory there may be, and loads the kernels unless that is for later.
func (s *stock) openMemory(ctx context.Context) (err error) {
	up, down := directions(s.config.Staging)
	if s.limit, err = s.claim(ctx, s.cap(up, down)); err != nil {
		return err
	}
	s.arena = transfer.NewArena(s.dev, transfer.ArenaParams{MaxBytes: s.limit, Seats: s.jobs})
	s.load = sync.OnceValues(s.loadKernels)
	if !s.ahead {
		_, err = s.load()
	}
	return err
}

// loadKernels waits for the device.
func (s *stock) loadKernels() (gpu.Program, error) {
	if err := open.Ready(string(s.config.Device.Want), s.dev); err != nil {
		return nil, at(stageDevice, unavailable(err))
	}
	var err error
	s.program, err = s.dev.Load(kernels.Module())
	return s.program, at(stageDevice, err)
}

func (s *stock) inFlight() int {
	if n := int(s.config.Staging.InFlight); n > 0 {
		return n
	}
	n := pipeline.DefaultInFlight
	if s.card != nil || s.dev != nil && s.dev.Info().Kind == gpu.CUDA {
		n = cudaInFlight
	}
	if s.purse.Card != nil {
		n = min(n, s.purse.Card.Params().InFlight)
	}
	return n
}

// cudaInFlight keeps an H200 busier than 4 do (docs/gpu-results.md).
const cudaInFlight = 8

// cardOf describes the card that the run believes it has.
func (s *stock) cardOf() card {
	if c := s.purse.Card; c != nil {
		return card{model: c.DriverModel(), total: c.Params().Total}
	}
	return cardOf(s.dev.Info())
}

// close ends what is shared: the journeys have given their memory back.
func (s *stock) close() error {
	if s.lost.Load() {
		return nil
	}
	errs := []error{s.card.close()}
	if s.arena != nil {
		errs = append(errs, s.arena.Close())
	}
	if s.quota != nil { // after the memory is free
		errs = append(errs, s.quota.Close())
	}
	if s.program != nil {
		errs = append(errs, s.program.Close())
	}
	errs = append(errs, s.purse.Close(), s.filling.close())
	switch {
	case s.dev == nil:
	case s.last:
		errs = append(errs, open.Leave(s.dev))
	default:
		errs = append(errs, s.dev.Close())
	}
	return errors.Join(errs...)
}
