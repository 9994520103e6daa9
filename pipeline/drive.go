package pipeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/internal/stopwatch"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/transfer"
)

// gather waits for the lanes, and takes as many frames meanwhile as there will be lanes, so that the source
// goes on. When the lanes cannot be had it has none.
func (r *run) gather(lanes func() error) (early []*frame.Frame, err error) {
	ready := make(chan error, 1)
	go func() { ready <- lanes() }()
	frames := r.frames
	for {
		select {
		case f, ok := <-frames:
			if ok {
				early = append(early, f)
			}
			if !ok || len(early) == r.InFlight {
				frames = nil
			}
		case err := <-ready:
			if err != nil {
				for _, f := range early {
					r.discard(f)
				}
				return nil, err
			}
			return early, nil
		}
	}
}

// drive puts the early frames on the road, and then those that are decoded.
func (r *run) drive(road context.Context, early []*frame.Frame) error {
	for i, f := range early {
		if err := r.take(road, f); err != nil {
			for _, f := range early[i+1:] {
				r.discard(f)
			}
			return err
		}
	}
	for {
		select {
		case f, ok := <-r.frames:
			if !ok {
				r.Staging.Completer().After(nil, roadEnd{r.completed})
				return nil
			}
			if err := r.take(road, f); err != nil {
				return err
			}
		case <-road.Done():
			return nil
		}
	}
}

// take puts a frame on the road, unless no more are admitted. It owns the frame.
func (r *run) take(road context.Context, f *frame.Frame) error {
	if r.ended {
		r.discard(f)
		return nil
	}
	if err := r.change(road, f); err != nil {
		r.discard(f)
		return err
	}
	err := r.submit(road, f)
	if err != nil && r.endsAdmission(err) {
		r.ended = true
		r.stop()
		return nil
	}
	return err
}

// endsAdmission reports whether an error ends the admission but not the road: what is under way is
// delivered. The guard gave up, or was interrupted while it held the frame.
func (r *run) endsAdmission(err error) bool {
	if errors.Is(err, budget.ErrExhausted) {
		r.exhausted = err // the output is finished as a part
		return true
	}
	return errors.Is(err, errInterrupted)
}

// errInterrupted says that the context ended while the guard held a frame.
var errInterrupted = errors.New("interrupted")

// roadEnd closes the road behind the last lane.
type roadEnd struct{ completed chan *lane }

// Completed implements transfer.Completion.
func (e roadEnd) Completed(error) { close(e.completed) }

// submit sends one frame over the device. It owns the frame.
func (r *run) submit(road context.Context, f *frame.Frame) error {
	if !r.route.serves(f.Info) {
		if err := r.reroute(road, f); err != nil {
			err = stageError("plan", f.Index, err)
			r.discard(f)
			return err
		}
	}
	l, err := r.admit(road, f)
	if err != nil {
		r.discard(f)
		return err
	}
	l.index = f.Index
	if err := r.load(road, l, f); err != nil {
		r.discarded.Add(1)
		l.drop()
		r.release(l)
		return err
	}
	if l.submitted {
		r.Staging.Completer().After(l.done, l)
	} else {
		r.Staging.Completer().After(nil, l)
	}
	return nil
}

// admit waits until the guard lets the frame take its memory, and for a free lane.
func (r *run) admit(road context.Context, f *frame.Frame) (*lane, error) {
	if r.Guard != nil {
		up, down := r.Staging.PerFrameBytes(f, r.route.resultBytes())
		if err := r.Guard.Admit(r.admission, f.Index, up+down); err != nil {
			if r.admission.Err() != nil && road.Err() == nil && !errors.Is(err, budget.ErrExhausted) {
				err = errInterrupted
			}
			return nil, stageError("budget", f.Index, err)
		}
		if l := transfer.Level(r.Guard.Level()); l != r.Staging.Level() {
			r.Note(fmt.Sprintf("the budget guard changes staging from %s to %s at frame %d", r.Staging.Level(), l, f.Index))
			if err := r.Staging.SetLevel(l); err != nil {
				return nil, stageError("budget", f.Index, err)
			}
		}
	}
	select {
	case l := <-r.free:
		r.inFlightMax.Store(max(r.inFlightMax.Load(), r.inFlight.Add(1)))
		return l, nil
	case <-road.Done():
		return nil, context.Cause(road)
	}
}

// release makes the lane free for the next frame. The last one's memory is given back by then, but
// for what the sink holds.
func (r *run) release(l *lane) {
	if r.Guard != nil {
		r.Guard.Done(l.index)
	}
	r.inFlight.Add(-1)
	l.submitted = false
	r.free <- l
}

// load stages the frame, records its journey into the lane's list and submits it. It owns the
// frame; on error the lane's drop lets go of everything.
func (r *run) load(road context.Context, l *lane, f *frame.Frame) error {
	if r.passes(f) {
		f.Format, f.Color = r.route.out.Format, r.route.out.Color // what stays may be called otherwise
		l.result = f
		r.Staged(l.index)
		return nil
	}
	meta := f.Meta
	start := stopwatch.Now()
	var err error
	if l.staged, err = r.Staging.Stage(road, f); err != nil {
		return stageError("upload", l.index, err)
	}
	if l.staged.Copied() {
		r.result.Busy.Memcpy += stopwatch.Since(start)
	}
	if err := r.record(road, l); err != nil {
		return err
	}
	if r.Guard != nil {
		r.Guard.Allocated(l.index)
	}
	r.Staged(l.index)
	l.result.Info, l.result.Meta = r.route.out, r.route.describe(meta)
	if err := l.stream.Submit(&l.cmds); err != nil {
		if !gpu.Poisoned(err) { // what was accepted before the refusal still runs
			err = errors.Join(err, l.stream.Synchronize())
		}
		return stageError("device", l.index, err)
	}
	l.submitted = true
	r.onDevice.Add(1)
	return nil
}

// passes reports whether the frame can go to the sink as it is: nothing to compute, no copies on
// this device, and no sink that would keep a slot which the decoder needs back.
func (r *run) passes(f *frame.Frame) bool {
	return r.route.identity() && r.Device.Info().Unified && (f.Block == nil || r.Sink.MaxHeld() == 0)
}

// record writes the frame's journey into the lane's list: up, through the chain, down.
func (r *run) record(road context.Context, l *lane) error {
	c := &l.cmds
	c.Reset()
	l.stands = r.sampled()
	src, err := r.recordUpload(road, l)
	if err != nil {
		return stageError("upload", l.index, err)
	}
	l.mark(markUploaded)
	err = r.recordResult(road, l, src)
	l.mark(markEnd)
	c.Record(l.done)
	return err
}

// recordUpload appends the way up and returns where the device has the picture then. Bands are sent
// at once: they wait for each other.
func (r *run) recordUpload(road context.Context, l *lane) (transfer.Picture, error) {
	var in gpu.Addr
	if n := l.staged.Bytes(); n > 0 {
		if err := l.ensure(&l.in, n); err != nil {
			return transfer.Picture{}, err
		}
		in = l.in.Addr()
	}
	if !l.staged.Banded() {
		l.mark(markStart)
		return l.staged.Record(&l.cmds, in), nil
	}
	start := stopwatch.Now()
	defer func() { r.result.Busy.Memcpy += stopwatch.Since(start) }()
	ctx, cancel := r.patience(road)
	defer cancel()
	return r.Staging.UploadBands(ctx, l.stream, &l.staged, in, l.marks[markStart])
}

// recordResult appends the launches and the way back, and makes the frame that the sink will get.
func (r *run) recordResult(road context.Context, l *lane, src transfer.Picture) error {
	bytes := r.route.outBytes(&l.staged)
	slot, err := r.Staging.AcquireDownload(road, bytes, r.Sink.MaxHeld())
	if err != nil {
		return stageError("download", l.index, err)
	}
	base, pic, err := r.target(l, slot, src)
	if err != nil {
		slot.Release()
		return stageError("download", l.index, err)
	}
	c := &l.cmds
	switch {
	case !r.route.identity():
		r.route.bound.Record(c, kernels.Image(src), kernels.Image(pic), l.scratchAddr, r.route.tablesAddr())
	case pic != src:
		if r.Device.Info().Unified {
			r.toEncoder.Add(1)
		}
		copyPlanes(c, pic, src, l.staged.Shape())
	}
	l.mark(markComputed)
	r.Staging.RecordDownload(c, slot, base, bytes)
	l.bands = banded{slot, base, bytes}
	l.result = slot.Frame(pic, base, r.route.shape(&l.staged))
	return nil
}

// target says where the chain's result goes: where the block that will be downloaded begins, and
// the planes in it. An uploaded picture that nothing is computed from is downloaded from where it
// is.
func (r *run) target(l *lane, slot *transfer.Slot, src transfer.Picture) (gpu.Addr, transfer.Picture, error) {
	if r.route.identity() && l.staged.Bytes() > 0 && !r.Staging.DownInPlace() {
		return l.in.Addr(), src, nil
	}
	base := slot.DeviceAddr()
	if !r.Staging.DownInPlace() {
		if err := l.ensure(&l.out, r.route.outBytes(&l.staged)); err != nil {
			return 0, src, err
		}
		base = l.out.Addr()
	}
	if r.route.identity() {
		return base, packed(base, l.staged.Shape()), nil
	}
	return base, placed(base, r.route.plan.OutLayout), nil
}

func placed(base gpu.Addr, l frame.Layout) (pic transfer.Picture) {
	for p := range l.NumPlanes {
		pic.Addr[p] = base + gpu.Addr(l.Offset[p])
		pic.Stride[p] = l.Stride[p]
	}
	return pic
}

// packed lays planes of the shape one after another without padding.
func packed(base gpu.Addr, shape frame.Layout) (pic transfer.Picture) {
	for p := range shape.NumPlanes {
		pic.Addr[p] = base
		pic.Stride[p] = shape.RowBytes[p]
		base += gpu.Addr(shape.RowBytes[p] * shape.Rows[p])
	}
	return pic
}

func copyPlanes(c *gpu.Commands, dst, src transfer.Picture, shape frame.Layout) {
	for p := range shape.NumPlanes {
		c.Copy2D(gpu.OpCopyD2D, dst.Addr[p], dst.Stride[p], src.Addr[p], src.Stride[p], shape.RowBytes[p], shape.Rows[p])
	}
}
