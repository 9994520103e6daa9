//go:build cuda && linux

package cuda

// #include "driver.h"
import "C"

import (
	"fmt"
	"sync/atomic"

	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.Buffer = (*buffer)(nil)

// addressSpace is more than any process can have: an allocation beyond it is certainly one that
// memory is lacking for, whatever the driver calls it.
const addressSpace = 1 << 47

// buffer is device memory.
type buffer struct {
	dev   *Device
	addr  cu.DevicePtr
	bytes int
	freed atomic.Bool
}

// checkSize is what stands against allocating bytes.
func (d *Device) checkSize(call string, bytes int) error {
	if err := d.usable(); err != nil {
		return err
	}
	return checkBytes(call, bytes)
}

func checkBytes(call string, bytes int) error {
	if bytes <= 0 {
		return fmt.Errorf("cuda device: allocation of %d bytes", bytes)
	}
	if bytes >= addressSpace {
		return &gpu.OutOfMemoryError{Call: call, Code: C.CUDA_ERROR_OUT_OF_MEMORY, Requested: int64(bytes), Reason: "larger than the address space"}
	}
	return nil
}

// Alloc allocates device memory.
func (d *Device) Alloc(bytes int) (gpu.Buffer, error) {
	const call = "cuMemAlloc"
	if err := d.checkSize(call, bytes); err != nil {
		return nil, err
	}
	b := &buffer{dev: d, bytes: bytes}
	err := locked(d.context, func() (err error) {
		b.addr, err = cu.MemAlloc(int64(bytes))
		return err
	})
	if err != nil {
		return nil, d.failAlloc(call, codeOf(err), bytes)
	}
	d.live.Buffers.Add(1)
	d.live.Bytes.Add(int64(bytes))
	return b, nil
}

func (b *buffer) Addr() gpu.Addr { return gpu.Addr(b.addr) }
func (b *buffer) Bytes() int     { return b.bytes }

// Free returns the memory. The second time does nothing; in a lost context nothing is tried.
func (b *buffer) Free() error {
	if b.freed.Swap(true) {
		return nil
	}
	if err := b.dev.lost(); err != nil {
		return err
	}
	if err := b.dev.do("cuMemFree", func() error { return cu.MemFree(b.addr) }); err != nil {
		return err
	}
	b.dev.live.Buffers.Add(-1)
	b.dev.live.Bytes.Add(-int64(b.bytes))
	return b.dev.gone()
}
