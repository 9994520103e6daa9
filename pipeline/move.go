package pipeline

import (
	"context"
	"errors"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/transfer"
)

// Base is what a run goes over to: another device with all that belongs to it. Frames that were decoded
// before may lie in slots of the staging before; that these can be copied from is the giver's affair.
type Base struct {
	Device  gpu.Device
	Staging *transfer.Staging
	Program gpu.Program
	Guard   Guard         // nil admits all
	Staged  func(n int64) // may be nil
}

// change goes over to the next base when it is there, before f is put on the road.
func (r *run) change(road context.Context, f *frame.Frame) error {
	select {
	case b := <-r.Next:
		r.Next = nil
		return stageError("device", f.Index, r.moveTo(road, b))
	default:
		return nil
	}
}

// moveTo brings all lanes home, so that nothing uses the old device, and makes new ones. The first frame then
// finds no route and plans it.
func (r *run) moveTo(road context.Context, b Base) error {
	idle, err := r.bringHome(road)
	if err != nil {
		for _, l := range idle {
			r.free <- l
		}
		return err
	}
	var errs []error
	for _, l := range r.lanes {
		errs = append(errs, l.close())
	}
	errs = append(errs, r.route.close())
	r.lanes, r.route = nil, nil
	r.Device, r.Staging, r.program, r.Guard, r.Staged = b.Device, b.Staging, b.Program, b.Guard, b.Staged
	if r.Staged == nil {
		r.Staged = func(int64) {}
	}
	r.result.Moved, r.result.Before = true, r.delivered.Load()
	busy := &r.result.Busy // its other times belong to goroutines that go on
	r.result.BusyBefore = Busy{Upload: busy.Upload, Kernels: busy.Kernels, Download: busy.Download}
	return errors.Join(append(errs, r.makeLanes())...)
}
