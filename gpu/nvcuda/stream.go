//go:build windows || linux

package nvcuda

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/cudaapi"
)

var _ gpu.Stream = (*stream)(nil)

// stream is a CUstream that does not wait for the default stream.
type stream struct {
	dev    *Device
	handle uintptr
	owned  bool
	closed atomic.Bool
	// What the driver reads while a call lasts. It is here, on the heap, where nothing moves, and a
	// frame's list makes no allocation; Submit is for one goroutine at a time.
	rows       cudaapi.CUDA_MEMCPY2D
	cells      [gpu.MaxArgs]uint64
	parameters [1]unsafe.Pointer // of a launch: its only one, the cells
}

// NewStream makes a stream.
func (d *Device) NewStream() (gpu.Stream, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	s := newStream(d, 0)
	code := d.call(cudaapi.CuStreamCreate, uintptr(unsafe.Pointer(&s.handle)), cudaapi.CU_STREAM_NON_BLOCKING)
	if err := d.fail("cuStreamCreate", code); err != nil {
		return nil, err
	}
	s.owned = true
	d.live.Streams.Add(1)
	return s, nil
}

func newStream(d *Device, handle uintptr) *stream {
	s := &stream{dev: d, handle: handle}
	s.parameters[0] = unsafe.Pointer(&s.cells)
	return s
}

// WrapStream makes a stream of one (CUstream) of the device's context that somebody else owns; 0
// is the default stream. Close leaves it alone, and it does not count as alive.
func (d *Device) WrapStream(handle uintptr) gpu.Stream { return newStream(d, handle) }

// StreamHandle is the driver's handle (CUstream) of a stream that this package made.
func StreamHandle(s gpu.Stream) (uintptr, bool) {
	own, ok := s.(*stream)
	if !ok {
		return 0, false
	}
	return own.handle, true
}

// Submit makes a call for each command, up to the first that is bad or that the driver refuses, on a
// thread that is locked meanwhile.
func (s *stream) Submit(c *gpu.Commands) error {
	if s.closed.Load() {
		return errors.New("cuda device: Submit to a closed stream")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := s.dev.fail("cuCtxSetCurrent", s.dev.lib.plain(cudaapi.CuCtxSetCurrent, s.dev.ctx)); err != nil {
		return err
	}
	for i := range c.List {
		if err := c.Validate(i, s.dev.info.Limits.MaxGridRows); err != nil {
			return fmt.Errorf("cuda device: command %d: %w", i, err)
		}
		if code := s.issue(&c.List[i], c.Args); code != cudaapi.CUDA_SUCCESS {
			return fmt.Errorf("command %d: %w", i, s.dev.fail(callOf(c.List[i].Op), code))
		}
	}
	runtime.KeepAlive(s) // the driver sees addresses in it as numbers
	return nil
}

// callOf names the driver's function for errors.
func callOf(op gpu.Op) string {
	return [...]string{
		gpu.OpCopyH2D: "cuMemcpyHtoDAsync", gpu.OpCopyD2H: "cuMemcpyDtoHAsync", gpu.OpCopyD2D: "cuMemcpyDtoDAsync",
		gpu.OpFill: "cuMemsetD8Async", gpu.OpLaunch: "cuLaunchKernel", gpu.OpWait: "cuStreamWaitEvent", gpu.OpRecord: "cuEventRecord",
	}[op]
}

// Synchronize blocks the goroutine and its thread, not a core.
func (s *stream) Synchronize() error {
	return s.dev.fail("cuStreamSynchronize", s.dev.plain(cudaapi.CuStreamSynchronize, s.handle))
}

// Close waits for what has been submitted. A foreign stream stays.
func (s *stream) Close() error {
	if s.closed.Swap(true) || !s.owned {
		return nil
	}
	if err := s.dev.lost(); err != nil {
		return err
	}
	if err := s.Synchronize(); err != nil {
		return err
	}
	if err := s.dev.fail("cuStreamDestroy", s.dev.call(cudaapi.CuStreamDestroy, s.handle)); err != nil {
		return err
	}
	s.dev.live.Streams.Add(-1)
	return s.dev.gone()
}
