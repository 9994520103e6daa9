//go:build windows || linux

package nvcuda

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/cudaapi"
)

var _ gpu.Event = (*event)(nil)

// event is a CUevent whose waits block instead of spinning.
type event struct {
	dev    *Device
	handle uintptr
	closed atomic.Bool
}

// NewEvent makes an event.
func (d *Device) NewEvent(timing bool) (gpu.Event, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	flags := uintptr(cudaapi.CU_EVENT_BLOCKING_SYNC)
	if !timing {
		flags |= cudaapi.CU_EVENT_DISABLE_TIMING
	}
	e := &event{dev: d}
	if err := d.fail("cuEventCreate", d.call(cudaapi.CuEventCreate, uintptr(unsafe.Pointer(&e.handle)), flags)); err != nil {
		return nil, err
	}
	d.live.Events.Add(1)
	return e, nil
}

// Handle is the driver's handle (CUevent).
func (e *event) Handle() uint64 { return uint64(e.handle) }

func (e *event) Done() (bool, error) {
	code := e.dev.plain(cudaapi.CuEventQuery, e.handle)
	if code == cudaapi.CUDA_ERROR_NOT_READY {
		return false, nil
	}
	return true, e.dev.fail("cuEventQuery", code)
}

func (e *event) Synchronize() error {
	return e.dev.fail("cuEventSynchronize", e.dev.plain(cudaapi.CuEventSynchronize, e.handle))
}

// Since has the driver's resolution, about half a microsecond.
func (e *event) Since(earlier gpu.Event) (time.Duration, error) {
	var milliseconds float32
	code := e.dev.call(cudaapi.CuEventElapsedTime, uintptr(unsafe.Pointer(&milliseconds)), uintptr(earlier.Handle()), e.handle)
	if err := e.dev.fail("cuEventElapsedTime", code); err != nil {
		return 0, err
	}
	return time.Duration(float64(milliseconds) * float64(time.Millisecond)), nil
}

func (e *event) Close() error {
	if e.closed.Swap(true) {
		return nil
	}
	if err := e.dev.lost(); err != nil {
		return err
	}
	if err := e.dev.fail("cuEventDestroy", e.dev.call(cudaapi.CuEventDestroy, e.handle)); err != nil {
		return err
	}
	e.dev.live.Events.Add(-1)
	return e.dev.gone()
}
