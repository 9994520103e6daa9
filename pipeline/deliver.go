package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/internal/stopwatch"
)

// deliver hands results to the sink in the order of submission.
func (r *run) deliver(road context.Context) error {
	watch := time.NewTicker(r.HangLimit)
	defer watch.Stop()
	moved := true
	for {
		select {
		case l, ok := <-r.completed:
			if !ok {
				return nil
			}
			moved = true
			if err := r.deliverOne(road, l); err != nil {
				return err
			}
		case <-watch.C:
			if !moved && r.onDevice.Load() > 0 {
				return stageError("device", r.delivered.Load(), hung(r.HangLimit))
			}
			moved = false
		case <-road.Done():
			return nil
		}
	}
}

// hung is a poisoned device: whatever is on it will not come back.
func hung(limit time.Duration) error {
	return &gpu.DeviceError{Call: "event wait", Code: -1, Poisoned: true,
		Message: fmt.Sprintf("the device did not finish a frame within %v", limit)}
}

// deliverOne ends the journey of the lane's frame.
func (r *run) deliverOne(road context.Context, l *lane) error {
	defer r.release(l)
	if l.submitted {
		r.onDevice.Add(-1)
	}
	if l.err != nil {
		err := stageError("device", l.index, l.err)
		r.discarded.Add(1)
		if !gpu.Poisoned(l.err) {
			l.drop()
		}
		return err
	}
	if err := r.measure(l); err != nil {
		r.discarded.Add(1)
		l.drop()
		return stageError("device", l.index, err)
	}
	l.staged.Done() // its last reader has finished
	if err := r.fetchBands(road, l); err != nil {
		r.discarded.Add(1)
		l.drop()
		return stageError("download", l.index, err)
	}
	f := l.result
	l.result = nil
	start := stopwatch.Now()
	err := r.Sink.Write(road, f)
	r.result.Busy.Encode += stopwatch.Since(start)
	if err != nil {
		r.discarded.Add(1)
		return stageError("encode", l.index, err)
	}
	r.delivered.Add(1)
	r.Progress(r.counters())
	return nil
}

// fetchBands brings down a result that comes in bands.
func (r *run) fetchBands(road context.Context, l *lane) error {
	b := l.bands
	l.bands = banded{}
	if b.slot == nil || !b.slot.Banded() {
		return nil
	}
	start := stopwatch.Now()
	ctx, cancel := r.patience(road)
	defer cancel()
	err := r.Staging.DownloadBands(ctx, l.stream, b.slot, b.from, b.bytes)
	r.result.Busy.Download += stopwatch.Since(start)
	return err
}

// patience is the road for one frame's bands: who waits for them does not watch for a hung device.
func (r *run) patience(road context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(road, r.HangLimit, hung(r.HangLimit))
}

// measure adds the device's own times of the lane's frame to the totals, for all frames that it stands
// for.
func (r *run) measure(l *lane) error {
	if !l.submitted || l.stands == 0 {
		return nil
	}
	for i, total := range []*time.Duration{&r.result.Busy.Upload, &r.result.Busy.Kernels, &r.result.Busy.Download} {
		d, err := l.marks[i+1].Since(l.marks[i])
		if err != nil {
			return err
		}
		*total += d * time.Duration(l.stands)
	}
	return nil
}
