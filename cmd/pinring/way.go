package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/open"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
	"github.com/pinring/pinring/transfer"
)

// way is a journey through the real packages.
type way struct {
	j       *job
	dev     gpu.Device
	staging *transfer.Staging
	source  *decode.Source
	sink    *encode.Sink
	lost    bool // the device is: nothing may be freed
}

func (w *way) inFlight() int {
	if n := int(w.j.Staging.InFlight); n > 0 {
		return n
	}
	return pipeline.DefaultInFlight
}

func (w *way) note(s string) { w.j.talk.say("%s", s) }

func (w *way) openDevice(context.Context) error {
	dev, why, err := open.Device(string(w.j.Device.Want), open.Options{})
	var syntax *open.SyntaxError
	if errors.As(err, &syntax) {
		return usage("", "%s", err)
	}
	if err != nil {
		return &hinted{err, "--device auto takes the CPU when there is no GPU"}
	}
	w.dev = dev
	w.note(why)
	info := dev.Info()
	w.j.report.Device = &report.Device{Kind: string(info.Kind), Name: info.Name}
	return nil
}

func (w *way) openStaging(context.Context) error {
	limit := int64(w.j.Staging.MaxPinned)
	card := cardOf(w.dev.Info())
	if limit == 0 {
		var why string
		limit, why = budget.Cap(card.model, hostLimits(), budget.Card{TotalBytes: card.total})
		if limit < budget.CapPlain {
			w.note(fmt.Sprintf("staging memory is capped at %s: %s", budget.FormatBytes(limit), why))
		}
	} else if s := budget.CapWarning(card.model, budget.Card{TotalBytes: card.total}, limit); s != "" {
		w.note(s)
	}
	w.staging = transfer.New(w.dev, transfer.Params{
		MaxBytes: limit, InFlight: w.inFlight(), Slots: int(w.j.Staging.Slots), Note: w.note,
	})
	return nil
}

func (w *way) openSource(ctx context.Context) error {
	p := decode.Params{
		Path: w.j.input, Threads: int(w.j.Input.Threads), InFlight: w.inFlight(), Lender: w.staging,
	}
	if s := string(w.j.Input.Stream); s != config.Auto {
		p.Stream = s
	}
	if w.copiesSound() {
		p.Packets = w.takePacket
	}
	src, err := decode.Open(ctx, p)
	if err != nil {
		return explainDecode(err)
	}
	w.source = src
	w.j.report.Input = describeInput(src.Input())
	w.j.report.Threads = &report.Threads{Decoder: src.Input().Threads, Cores: cores()}
	return nil
}

// takePacket passes a packet from the source to the sink, which is open when the first one comes.
func (w *way) takePacket(p *frame.Packet) error { return w.sink.WritePacket(p) }

func (w *way) copiesSound() bool { return w.j.takesPackets() && !bool(w.j.Output.NoAudio) }

func (w *way) openSink(ctx context.Context) error {
	in := w.source.Input()
	p := encode.Params{
		Output: w.j.output, Overwrite: bool(w.j.Output.Yes), Input: w.j.input,
		Preset: unlessAuto(w.j.Output.Preset), VCodec: codecFor(w.j.output, w.j.Output.Codec),
		CRF: quality(w.j.Output.CRF), Opts: options(w.j.Output.Options),
		Video: in.Video.Params, Metadata: in.Metadata,
	}
	for i := range in.Streams {
		if w.copiesSound() && in.Streams[i].Kind == "audio" {
			p.Copy = append(p.Copy, in.Streams[i].Params)
		}
	}
	sink, err := encode.Open(ctx, p)
	if err != nil {
		return explainEncode(err)
	}
	w.sink = sink
	return nil
}

// process runs the pipeline and fills in what it did, however it ended.
func (w *way) process(ctx context.Context) error {
	chain, err := kernels.Parse(string(w.j.Filter.Chain))
	if err != nil {
		return err
	}
	res, err := pipeline.Run(ctx, pipeline.Params{
		Source: w.source, Sink: w.sink, Device: w.dev, Staging: w.staging, Chain: chain,
		InFlight: w.inFlight(), MaxFrames: int64(w.j.Input.Frames),
		Progress: w.progress, Note: w.note,
	})
	w.lost = gpu.Poisoned(err)
	w.tell(res)
	switch {
	case err != nil:
		return explainRun(err)
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
	w.j.progress.update(counters{Frames: c.Delivered, InFlight: c.InFlight, PinnedBytes: up + down})
}

// close ends everything in the order of Note [Order of frees].
func (w *way) close() error {
	if w.lost {
		return nil // the process ends; whatever the device still touches must stay where it is
	}
	var errs []error
	if w.sink != nil {
		errs = append(errs, w.sink.Close())
	}
	if w.source != nil {
		errs = append(errs, w.source.Close())
	}
	if w.staging != nil {
		errs = append(errs, w.staging.Close())
	}
	if w.dev != nil {
		errs = append(errs, w.dev.Close())
	}
	return errors.Join(errs...)
}
