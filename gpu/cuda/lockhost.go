//go:build cuda && linux

package cuda

// #include "driver.h"
import "C"

import (
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.HostLocker = (*Device)(nil)

// LockHost counts as a buffer that is alive until unlock.
func (d *Device) LockHost(ptr unsafe.Pointer, bytes int) (unlock func() error, err error) {
	if err := d.checkSize("cuMemHostRegister", bytes); err != nil {
		return nil, err
	}
	b := &hostBuffer{dev: d, kind: gpu.Registered, base: ptr, ptr: ptr, size: bytes, bytes: bytes, foreign: true}
	if err := b.lock(); err != nil {
		return nil, err
	}
	d.live.HostBuffers.Add(1)
	d.live.HostBytes.Add(int64(bytes))
	return b.Free, nil
}
