package trial

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/quota"
	"github.com/pinring/pinring/cmd/internal/contest"
	"github.com/pinring/pinring/cmd/internal/meters"
	"github.com/pinring/pinring/cmd/internal/purse"
	"github.com/pinring/pinring/cmd/internal/tally"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
	"github.com/pinring/pinring/transfer"
)

// Trial is one run of frames.
type Trial struct {
	Config   config.Config
	Pictures *Pictures
	Frames   int64
	Version  string
	// Open opens the device that the settings want.
	Open func(want string) (gpu.Device, string, error)
	// Say gets what the user should know; nil discards it.
	Say func(string)
}

// trial is a Trial under way.
type trial struct {
	Trial
	report   *report.Run
	dev      gpu.Device
	purse    purse.Purse
	account  *purse.Account
	quota    *quota.Share
	staging  *transfer.Staging
	source   *source
	up, down transfer.Mode
	lost     bool // the device is: nothing may be freed
}

// Run runs the frames. The report is complete on errors, too, but for outcome and exit code, which are
// the program's to give.
func (t Trial) Run(ctx context.Context) (*report.Run, error) {
	if t.Say == nil {
		t.Say = func(string) {}
	}
	format := string(t.Pictures.Info.Format)
	output := "null:"
	run := &trial{Trial: t, report: &report.Run{Version: t.Version, Output: &output, Chain: string(t.Config.Filter.Chain),
		Staging: string(t.Config.Staging.Mode), StagingFormat: &format}}
	run.up, run.down = contest.Directions(t.Config.Staging)
	err := run.run(ctx)
	if closed := run.close(); err == nil {
		err = closed
	} else if closed != nil { // what went wrong on the way matters more
		t.Say(fmt.Sprintf("closing: %v", closed))
	}
	return run.report, err
}

func (t *trial) run(ctx context.Context) error {
	chain, err := kernels.Parse(string(t.Config.Filter.Chain))
	if err != nil {
		return err
	}
	if err := t.openDevice(); err != nil {
		return t.explain(err, -1)
	}
	if err := t.openStaging(ctx); err != nil {
		return t.explain(err, -1)
	}
	res, err := pipeline.Run(ctx, pipeline.Params{
		Source: t.source, Sink: nowhere{}, Device: t.dev, Staging: t.staging, Chain: chain, InFlight: t.inFlight(), MaxFrames: t.Frames,
		Guard: t.account.Guard(), Ready: func(in frame.Info) { t.purse.Start(in.FrameRate) }, Staged: t.account.Sample, Note: t.Say,
	})
	t.lost = gpu.Poisoned(err)
	t.tell(res)
	var stage *pipeline.StageError
	switch {
	case errors.As(err, &stage):
		return t.explain(err, stage.Frame)
	case err != nil:
		return err
	case res.Interrupted:
		return context.Cause(ctx)
	}
	return nil
}

func (t *trial) openDevice() error {
	dev, _, err := t.Open(string(t.Config.Device.Want))
	if err != nil {
		return err
	}
	t.dev = dev
	info := dev.Info()
	t.report.Device = &report.Device{Kind: string(info.Kind), Name: info.Name}
	if t.dev, err = t.purse.Emulate(t.Config, dev, 1, purse.OnPaper, t.Say, t.report); err != nil {
		return err
	}
	if t.purse.Card == nil && info.Kind == gpu.CUDA {
		model := meters.CardOf(info).Model.String()
		t.report.Device.DriverModel = &model
	}
	if err := t.purse.Open(t.Config, t.dev, t.inFlight(), t.Say); err != nil {
		return err
	}
	t.account = t.purse.Account()
	return nil
}

func (t *trial) openStaging(ctx context.Context) (err error) {
	limit, err := t.share(ctx, t.limit())
	if err != nil {
		return err
	}
	t.staging = transfer.New(t.dev, transfer.Params{Up: t.up, Down: t.down, MaxBytes: limit, InFlight: t.inFlight(),
		Slots: int(t.Config.Staging.Slots), Eager: t.purse.Card != nil, Note: t.Say})
	t.source, err = newSource(t.Pictures, t.staging, t.dev, t.inFlight()+ahead, t.Frames)
	return err
}

// ahead is how many frames the pipeline has taken besides those in flight: in its queue, and at both
// ends of it, and one that is being written.
const ahead = 4

// cudaInFlight is as many frames as pinring has on a GPU at once.
const cudaInFlight = 8

func (t *trial) inFlight() int {
	if n := int(t.Config.Staging.InFlight); n > 0 {
		return n
	}
	n := pipeline.DefaultInFlight
	if t.dev.Info().Kind == gpu.CUDA {
		n = cudaInFlight
	}
	if t.purse.Card != nil {
		n = min(n, t.purse.Card.Params().InFlight)
	}
	return n
}

// limit is the cap on staging memory, 0 for none. A mode that allocates for each frame is there to
// meet the card's own limit, so only the user's word caps it.
func (t *trial) limit() int64 {
	if n := int64(t.Config.Staging.MaxPinned); n > 0 {
		return n
	}
	if t.up.PerFrame || t.down.PerFrame {
		return 0
	}
	c := meters.Card{}
	if card := t.purse.Card; card != nil {
		c = meters.Card{Model: card.DriverModel(), Total: card.Params().Total}
	} else {
		c = meters.CardOf(t.dev.Info())
	}
	n, _ := budget.Cap(c.Model, meters.HostLimits(), budget.Card{TotalBytes: c.Total})
	return n
}

// share takes this process's part of what all processes of the host may pin together.
func (t *trial) share(ctx context.Context, limit int64) (int64, error) {
	if limit <= 0 || t.dev.Info().Kind != gpu.CUDA || t.purse.Card != nil {
		return limit, nil
	}
	s, err := quota.Acquire(ctx, "", quota.Request{Cap: limit, Want: limit, Min: min(16*budget.MiB, limit)})
	switch {
	case errors.Is(err, quota.ErrNoRoom):
		return 0, errors.Join(budget.ErrExhausted, err)
	case err != nil:
		t.Say(fmt.Sprintf("pinned memory is not shared with other processes: %v", err))
		return limit, nil
	}
	t.quota = s
	return s.Granted(), nil
}

// tell writes into the report what the run did, before the slots are freed.
func (t *trial) tell(res *pipeline.Result) {
	r, in := t.report, t.Pictures.Info
	rate := in.FrameRate.Float()
	r.Input = &report.Input{Path: t.Pictures.Path, Container: t.Pictures.Container, Codec: "rawvideo", PixelFormat: string(in.Format),
		Width: in.Width, Height: in.Height, FrameRate: &rate}
	r.Threads = &report.Threads{Decoder: 0, Cores: runtime.GOMAXPROCS(0)}
	if res.Chain != "" {
		r.Chain = res.Chain
	}
	r.Frames = &report.Frames{Decoded: res.Admitted, Delivered: res.Delivered, Discarded: res.Discarded,
		Degraded: t.staging.Degraded(), CopiedToSlot: t.staging.Copied(), CopiedToEncoder: res.CopiedToEncoder}
	seconds := res.Seconds
	r.Seconds = &seconds
	if seconds > 0 {
		fps := float64(res.Delivered) / seconds
		r.FPS = &fps
	}
	if d := tally.TransferTime(res, t.staging, t.up, t.down); d > 0 && !t.dev.Info().Unified {
		fps := float64(res.Delivered) / d.Seconds()
		r.TransferFPS = &fps
	}
	r.InFlightMax = &res.InFlightMax
	r.Stages = tally.Stages(res.Busy)
	t.account.Tell(r)
	up, down := t.staging.Stats()
	r.HostMemory = report.HostMemory{Upload: tally.Ring(up), Download: tally.Ring(down)}
	if t.lost || t.dev.Info().Unified {
		return
	}
	if n, err := probe.LargestAlloc(t.dev); err == nil {
		r.LargestDeviceAllocBytes = &n
	}
}

// close ends everything in order: source, rings, quota, meters, device.
func (t *trial) close() error {
	if t.lost {
		return nil // whatever the device still touches must stay where it is
	}
	var errs []error
	if t.source != nil {
		errs = append(errs, t.source.Close())
	}
	if t.staging != nil {
		errs = append(errs, t.staging.Close())
	}
	if t.quota != nil {
		errs = append(errs, t.quota.Close())
	}
	if t.account != nil {
		t.account.Close()
	}
	errs = append(errs, t.purse.Close())
	if t.dev != nil {
		errs = append(errs, t.dev.Close())
	}
	return errors.Join(errs...)
}
