//go:build cuda && linux

package cuda

/*
#include "driver.h"

#cgo noescape pinring_submit
#cgo nocallback pinring_submit
#cgo nocallback pinring_stream_synchronize
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.Stream = (*stream)(nil)

// stream is a CUstream that does not wait for the default stream.
type stream struct {
	dev    *Device
	handle C.uintptr_t
	owned  bool
	closed atomic.Bool
}

// NewStream makes a stream.
func (d *Device) NewStream() (gpu.Stream, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	var s cu.Stream
	err := d.do("cuStreamCreate", func() (err error) {
		s, err = cu.MakeStream(cu.NonBlocking)
		return err
	})
	if err != nil {
		return nil, err
	}
	d.live.Streams.Add(1)
	return &stream{dev: d, handle: C.uintptr_t(unwrap(s)), owned: true}, nil
}

// WrapStream makes a stream of one (CUstream) of the device's context that somebody else owns; 0
// is the default stream. Close leaves it alone, and it does not count as alive.
func (d *Device) WrapStream(handle uintptr) gpu.Stream {
	return &stream{dev: d, handle: C.uintptr_t(handle)}
}

// StreamHandle is the driver's handle (CUstream) of a stream that this package made.
func StreamHandle(s gpu.Stream) (uintptr, bool) {
	own, ok := s.(*stream)
	if !ok {
		return 0, false
	}
	return uintptr(own.handle), true
}

// Submit validates the commands, and hands over those before the first bad one with one call.
func (s *stream) Submit(c *gpu.Commands) error {
	if s.closed.Load() {
		return errors.New("cuda device: Submit to a closed stream")
	}
	count, bad := s.validate(c)
	if count > 0 {
		r := C.pinring_submit(s.dev.ctx, s.handle, (*C.pinring_command)(unsafe.Pointer(&c.List[0])), C.uint32_t(count),
			(*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(c.Args))))
		if r.code != C.CUDA_SUCCESS {
			return fmt.Errorf("command %d: %w", r.index, s.dev.fail(call(c.List[r.index].Op), int(r.code)))
		}
	}
	return bad
}

// validate returns how many commands are good, and the error of the one behind them.
func (s *stream) validate(c *gpu.Commands) (int, error) {
	if len(c.List) > math.MaxUint32 {
		return 0, fmt.Errorf("cuda device: a list of %d commands", len(c.List))
	}
	for i := range c.List {
		if err := c.Validate(i, s.dev.info.Limits.MaxGridRows); err != nil {
			return i, fmt.Errorf("cuda device: command %d: %w", i, err)
		}
	}
	return len(c.List), nil
}

// call names the driver's function for errors.
func call(op gpu.Op) string {
	return [...]string{
		gpu.OpCopyH2D: "cuMemcpyHtoDAsync", gpu.OpCopyD2H: "cuMemcpyDtoHAsync", gpu.OpCopyD2D: "cuMemcpyDtoDAsync",
		gpu.OpFill: "cuMemsetD8Async", gpu.OpLaunch: "cuLaunchKernel", gpu.OpWait: "cuStreamWaitEvent", gpu.OpRecord: "cuEventRecord",
	}[op]
}

// Synchronize blocks the goroutine and its thread, not a core.
func (s *stream) Synchronize() error {
	return s.dev.fail("cuStreamSynchronize", int(C.pinring_stream_synchronize(s.dev.ctx, s.handle)))
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
	own := wrap[cu.Stream](uintptr(s.handle))
	if err := s.dev.do("cuStreamDestroy", own.Destroy); err != nil {
		return err
	}
	s.dev.live.Streams.Add(-1)
	return s.dev.gone()
}
