package main

import (
	"context"
	"errors"

	"github.com/pinring/pinring/cmd/internal/purse"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
	"github.com/pinring/pinring/transfer"
)

// way is one input's journey through the real packages. Device, budget and the cap on its memory are
// the stock's, which the journeys of a process share.
type way struct {
	*stock
	j        *job
	account  *purse.Account
	staging  *transfer.Staging
	slots    *lockable // of the staging, for a card that comes later; nil without
	crossing *crossing // to that card; nil without
	source   *decode.Source
	convert  *decode.Converter // of pictures that cannot be staged as they are decoded
	cycle    *pipeline.Cycle   // nil when frames come from the file
	sink     *encode.Sink
	upright  upright
}

func (w *way) note(s string) { w.j.talk.say("%s", s) }

// openInput needs nothing of the stock, which may not be open yet.
func (w *way) openInput(ctx context.Context) error {
	p := decode.Params{Path: w.j.input, Threads: w.decoderThreads()}
	w.j.reading(&p)
	if s := string(w.j.Input.Stream); s != config.Auto {
		p.Stream = s
	}
	if w.j.takesPackets() {
		p.Packets, p.PassThrough = w.takePacket, w.passes
	}
	if err := w.checkSource(); err != nil {
		return err
	}
	src, err := decode.Look(ctx, p, w.lends())
	if err != nil {
		return explainDecode(err)
	}
	w.source = src
	return nil
}

func (w *way) openStaging(context.Context) error {
	w.account = w.purse.Account()
	up, down := directions(w.j.Staging)
	w.staging = transfer.New(w.dev, transfer.Params{
		Up: up, Down: down, Arena: w.arena, InFlight: w.inFlight(), Slots: int(w.j.Staging.Slots),
		Eager:     w.purse.Card != nil, // so that what the emulated card is charged does not depend on timing
		LeaveRoom: w.card != nil,
		Note:      w.note,
	})
	if w.card != nil {
		w.slots = newLockable(w.staging, w.note)
	}
	return nil
}

func (w *way) openSource(context.Context) error {
	if err := w.source.Start(w.inFlight()+w.kept(), w.lender()); err != nil {
		return explainDecode(err)
	}
	in := w.source.Input()
	w.j.report.Input = describeInput(in)
	w.settleUpright()
	w.j.report.Threads = &report.Threads{Decoder: in.Threads, Cores: cores()}
	return nil
}

// memoryFrames is how many frames --source memory repeats, and how often it gives one unless
// --frames says otherwise.
const (
	memoryFrames  = 16
	memoryRepeats = 1000
)

// kept is how many frames are kept for good.
func (w *way) kept() int {
	if w.j.Input.Source == "memory" {
		return memoryFrames
	}
	return 0
}

// A row of a comparison takes the whole input, but not fewer frames than show what churn does, and
// not more than anybody wants to wait for.
const leastCompared, mostCompared = 300, 900

// limit is how many frames are admitted, 0 for all.
func (w *way) limit() int64 {
	n := int64(w.j.Input.Frames)
	if n == 0 && w.j.measure {
		n = min(max(w.source.Input().Video.Frames, leastCompared), mostCompared)
	}
	return n
}

// measure tries the largest device allocation while the run's memory is in place. Not being able to
// tell is no failure of the run.
func (w *way) measure() {
	if n, err := probe.LargestAlloc(w.dev); err == nil && w.dev.Info().Kind == gpu.CUDA || w.purse.Card != nil {
		w.j.report.LargestDeviceAllocBytes = &n
	}
}

// checkSource refuses what does not go together.
func (w *way) checkSource() error {
	if w.j.Input.Source == "memory" && w.j.takesPackets() && !(bool(w.j.Output.NoAudio) && bool(w.j.Output.NoSubtitles)) {
		return usage("use null: or md5:", "--source memory repeats pictures, which a file with sound cannot take")
	}
	return nil
}

// lends says whether the decoder is lent memory: not when pictures are converted first.
func (w *way) lends() bool { return w.j.Staging.Format != "rgb24" }

// lender is who lends the decoder memory.
func (w *way) lender() decode.Lender {
	switch {
	case !w.lends():
		return nil
	case w.slots != nil:
		return w.slots
	}
	return w.staging
}

// frames is where the pipeline gets its frames from.
func (w *way) frames(ctx context.Context, chain kernels.Chain) (pipeline.Source, error) {
	var src pipeline.Source = w.source
	if w.j.measure {
		src = &looped{Source: w.source}
	}
	w.convert = decode.ConvertSome(src, w.stagedAs(chain))
	src = w.convert
	if w.j.Input.Source != "memory" {
		return src, nil
	}
	total := w.limit()
	if total == 0 {
		total = memoryRepeats
	}
	var err error
	w.cycle, err = pipeline.NewCycle(ctx, src, memoryFrames, total)
	if err != nil {
		return nil, at(stageInput, explainDecode(err))
	}
	return w.cycle, nil
}

// takePacket passes a packet from the source to the sink, which is open when the first one comes.
func (w *way) takePacket(p *frame.Packet) error { return w.sink.WritePacket(p) }

func (w *way) openSink(ctx context.Context) error {
	in := w.source.Input()
	p := w.sinkParams(in)
	sink, err := encode.Open(ctx, p)
	if err != nil {
		return explainEncode(err)
	}
	w.sink = sink
	w.noteUpright()
	return nil
}

// process runs the pipeline and fills in what it did, however it ended.
func (w *way) process(ctx context.Context) error {
	chain, err := kernels.Parse(w.upright.chain(string(w.j.Filter.Chain)))
	if err != nil {
		return err
	}
	src, err := w.frames(ctx, chain)
	if err != nil {
		return err
	}
	res, err := pipeline.Run(ctx, pipeline.Params{
		Source: src, Sink: w.sink, Device: w.dev, Staging: w.staging, Chain: chain,
		InFlight: w.inFlight(), MaxFrames: w.limit(), Guard: w.account.Guard(), Program: w.load, Next: w.cross(),
		PartWhenInterrupted: w.j.resumable,
		Ready:               func(in frame.Info) { w.purse.Start(in.FrameRate) }, Staged: w.account.Sample,
		Progress: w.progress, Note: w.note,
	})
	if gpu.Poisoned(err) {
		w.lost.Store(true)
	}
	w.tell(res)
	if w.j.measure && !w.lost.Load() {
		w.measure()
	}
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, encode.ErrInterrupted):
		return context.Cause(ctx) // nobody took what was written
	case err != nil:
		return w.explainRun(err)
	case res.Interrupted:
		return context.Cause(ctx)
	}
	return lostFrames(w.source.Stats(), res)
}

func (w *way) progress(c pipeline.Counters) {
	if w.j.progress == nil {
		return
	}
	up, down := w.staging.Bytes()
	if on := w.crossing.there(); on != nil {
		copied, came := on.Bytes()
		up, down = up+copied, down+came
	}
	w.j.progress.update(counters{Frames: c.Delivered, InFlight: c.InFlight, PinnedBytes: up + down})
}

func (w *way) live() string {
	if w.crossing.there() != nil {
		return w.card.stock.purse.Live()
	}
	return w.purse.Live()
}

// close ends everything in the order of Note [Order of frees].
func (w *way) close() error {
	if w.lost.Load() {
		return nil // the process ends; whatever the device still touches must stay where it is
	}
	var errs []error
	if w.sink != nil {
		errs = append(errs, w.sink.Close())
	}
	w.crossing.end()
	if w.cycle != nil {
		w.cycle.Close()
	}
	if w.convert != nil {
		w.convert.Close()
	}
	if w.source != nil {
		errs = append(errs, w.source.Close())
	}
	errs = append(errs, w.slots.close(), w.crossing.close())
	if w.staging != nil {
		errs = append(errs, w.staging.Close())
	}
	if w.account != nil {
		w.account.Close()
	}
	return errors.Join(errs...)
}
