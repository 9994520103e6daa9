//go:build cuda && linux

package cuda

/*
#include "driver.h"

#cgo nocallback pinring_event_query
#cgo noescape pinring_event_synchronize
#cgo nocallback pinring_event_synchronize
#cgo nocallback pinring_event_elapsed
*/
import "C"

import (
	"sync/atomic"
	"time"

	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.Event = (*event)(nil)

// event is a CUevent whose waits block instead of spinning.
type event struct {
	dev    *Device
	handle C.uintptr_t
	closed atomic.Bool
}

// NewEvent makes an event.
func (d *Device) NewEvent(timing bool) (gpu.Event, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	flags := cu.BlockingSyncEvent
	if !timing {
		flags |= cu.DisableTiming
	}
	var e cu.Event
	err := d.do("cuEventCreate", func() (err error) {
		e, err = cu.MakeEvent(flags)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.live.Events.Add(1)
	return &event{dev: d, handle: C.uintptr_t(unwrap(e))}, nil
}

// Handle is the driver's handle (CUevent).
func (e *event) Handle() uint64 { return uint64(e.handle) }

func (e *event) Done() (bool, error) {
	code := C.pinring_event_query(e.dev.ctx, e.handle)
	if code == C.CUDA_ERROR_NOT_READY {
		return false, nil
	}
	return true, e.dev.fail("cuEventQuery", int(code))
}

// shortWait is what a thread would lose by being put to sleep and woken, several times over.
const shortWait = 200 * time.Microsecond

// Synchronize asks again and again for a short while where the wait before was short, too: frames that
// come every hundred microseconds would lose a part of that to each waking up. Where waits are longer,
// as behind a decoder, the thread sleeps at once.
func (e *event) Synchronize() error {
	var spin, waited C.int64_t
	if e.dev.brisk.Load() {
		spin = C.int64_t(shortWait)
	}
	code := C.pinring_event_synchronize(e.dev.ctx, e.handle, spin, &waited)
	e.dev.brisk.Store(waited < C.int64_t(shortWait))
	return e.dev.fail("cuEventSynchronize", int(code))
}

// Since has the driver's resolution, about half a microsecond.
func (e *event) Since(earlier gpu.Event) (time.Duration, error) {
	r := C.pinring_event_elapsed(e.dev.ctx, C.uintptr_t(earlier.Handle()), e.handle)
	if err := e.dev.fail("cuEventElapsedTime", int(r.code)); err != nil {
		return 0, err
	}
	return time.Duration(float64(r.milliseconds) * float64(time.Millisecond)), nil
}

func (e *event) Close() error {
	if e.closed.Swap(true) {
		return nil
	}
	if err := e.dev.lost(); err != nil {
		return err
	}
	own := wrap[cu.Event](uintptr(e.handle))
	if err := e.dev.do("cuEventDestroy", func() error { return cu.DestroyEvent(&own) }); err != nil {
		return err
	}
	e.dev.live.Events.Add(-1)
	return e.dev.gone()
}
