//go:build cuda && linux

package cuda

// #include "driver.h"
import "C"

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.HostBuffer = (*hostBuffer)(nil)

const hostAlign = 4096

// hostBuffer is host memory. base is what was allocated; ptr is the first aligned byte of it.
type hostBuffer struct {
	dev        *Device
	kind       gpu.HostKind
	base, ptr  unsafe.Pointer
	size       int // bytes allocated from base
	bytes      int // bytes asked for, from ptr
	device     gpu.Addr
	early      bool // mapped before there was a context
	registered bool // page-locked by cuMemHostRegister
	foreign    bool // somebody else unmaps it
	freed      atomic.Bool
}

// AllocHost allocates host memory of the kind. Managed memory needs a device that has it.
func (d *Device) AllocHost(bytes int, kind gpu.HostKind) (gpu.HostBuffer, error) {
	if int(kind) >= gpu.NumHostKinds || kind == gpu.Managed && !d.managed {
		return nil, fmt.Errorf("cuda device: host memory of kind %v: %w", kind, gpu.ErrUnsupported)
	}
	b, err := d.allocHost(bytes, kind)
	if err != nil {
		return nil, err
	}
	d.live.HostBuffers.Add(1)
	d.live.HostBytes.Add(int64(bytes))
	return b, nil
}

// allocHost allocates host memory at an aligned address.
func (d *Device) allocHost(bytes int, kind gpu.HostKind) (*hostBuffer, error) {
	if kind == gpu.Pinned && !d.closed.Load() {
		if b, err := d.allocEarly(bytes); b != nil || err != nil {
			return b, err
		}
	}
	if err := d.checkSize(hostCall(kind), bytes); err != nil {
		return nil, err
	}
	b := &hostBuffer{dev: d, kind: kind, bytes: bytes}
	if err := b.alloc(hostRound(bytes)); err != nil {
		return nil, err
	}
	if uintptr(b.base)%hostAlign != 0 { // the driver gave a piece of something larger
		if err := errors.Join(b.release(), b.alloc(b.size+hostAlign)); err != nil {
			return nil, err
		}
	}
	b.ptr = unsafe.Add(b.base, -uintptr(b.base)%hostAlign)
	if err := b.mapped(); err != nil {
		return nil, errors.Join(err, b.release())
	}
	return b, nil
}

func hostRound(bytes int) int { return (bytes + hostAlign - 1) &^ (hostAlign - 1) }

// hostCall is the call that makes memory of the kind, for errors.
func hostCall(kind gpu.HostKind) string {
	switch kind {
	case gpu.Pageable:
		return "mmap"
	case gpu.Registered:
		return "cuMemHostRegister"
	case gpu.Managed:
		return "cuMemAllocManaged"
	}
	return "cuMemHostAlloc"
}

// alloc gets size bytes in the kind's way.
func (b *hostBuffer) alloc(size int) error {
	b.size = size
	switch b.kind {
	case gpu.Pageable:
		return b.mmap()
	case gpu.Registered:
		return b.register()
	case gpu.Managed:
		return b.allocManaged()
	case gpu.Mapped:
		return b.allocPinned(C.CU_MEMHOSTALLOC_PORTABLE | C.CU_MEMHOSTALLOC_DEVICEMAP)
	case gpu.WriteCombined:
		return b.allocPinned(C.CU_MEMHOSTALLOC_PORTABLE | C.CU_MEMHOSTALLOC_WRITECOMBINED)
	}
	return b.allocPinned(C.CU_MEMHOSTALLOC_PORTABLE)
}

func (b *hostBuffer) allocPinned(flags C.uint) error {
	m := C.pinring_host_alloc(b.dev.ctx, C.size_t(b.size), flags)
	b.base = m.ptr
	return b.dev.failAlloc(hostCall(b.kind), int(m.code), b.bytes)
}

func (b *hostBuffer) mmap() (err error) {
	b.base, err = unix.MmapPtr(-1, 0, nil, uintptr(b.size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return &gpu.OutOfMemoryError{Call: "mmap", Code: int(unix.ENOMEM), Requested: int64(b.bytes), Reason: err.Error()}
	}
	return nil
}

func (b *hostBuffer) register() error {
	if err := b.mmap(); err != nil {
		return err
	}
	if err := b.lock(); err != nil {
		return errors.Join(err, unix.MunmapPtr(b.base, uintptr(b.size)))
	}
	return nil
}

func (b *hostBuffer) allocManaged() error {
	err := locked(b.dev.context, func() error {
		p, err := cu.MemAllocManaged(int64(b.size), cu.AttachGlobal)
		b.base = hostPointer(p)
		return err
	})
	return b.dev.failAlloc(hostCall(b.kind), codeOf(err), b.bytes)
}

// hostPointer turns an address of managed memory, which is the same on both sides, into a pointer.
func hostPointer(p cu.DevicePtr) unsafe.Pointer {
	u := p.Uintptr()
	return *(*unsafe.Pointer)(unsafe.Pointer(&u))
}

// mapped finds out where kernels see the memory.
func (b *hostBuffer) mapped() error {
	switch b.kind {
	case gpu.Managed:
		b.device = b.Addr()
	case gpu.Mapped:
		m := C.pinring_host_device_pointer(b.dev.ctx, b.ptr)
		b.device = gpu.Addr(uintptr(m.ptr))
		return b.dev.fail("cuMemHostGetDevicePointer", int(m.code))
	}
	return nil
}

func (b *hostBuffer) Addr() gpu.Addr       { return gpu.Addr(uintptr(b.ptr)) }
func (b *hostBuffer) Bytes() int           { return b.bytes }
func (b *hostBuffer) Ptr() unsafe.Pointer  { return b.ptr }
func (b *hostBuffer) Kind() gpu.HostKind   { return b.kind }
func (b *hostBuffer) DeviceAddr() gpu.Addr { return b.device }

// Free returns the memory. The second time does nothing; in a lost context nothing is tried.
func (b *hostBuffer) Free() error {
	if b.freed.Swap(true) {
		return nil
	}
	<-b.dev.arrival.over // which may be about to lock it
	if err := b.dev.lost(); err != nil {
		return err
	}
	if err := b.release(); err != nil {
		return err
	}
	b.dev.live.HostBuffers.Add(-1)
	b.dev.live.HostBytes.Add(-int64(b.bytes))
	return b.dev.gone()
}

// release undoes alloc.
func (b *hostBuffer) release() error {
	d := b.dev
	switch {
	case b.registered:
		if err := d.fail("cuMemHostUnregister", int(C.pinring_host_unregister(d.ctx, b.base))); err != nil {
			return err // unmapping what is still registered would pull pages from under the device
		}
		if b.foreign {
			return nil
		}
		return unix.MunmapPtr(b.base, uintptr(b.size))
	case b.kind == gpu.Pageable, b.early:
		return unix.MunmapPtr(b.base, uintptr(b.size))
	case b.kind == gpu.Managed:
		return d.do("cuMemFree", func() error { return cu.MemFree(cu.DevicePtr(uintptr(b.base))) })
	}
	return d.fail("cuMemFreeHost", int(C.pinring_host_free(d.ctx, b.base)))
}

// Pinned reports whether the driver knows ptr as page-locked host memory (cuPointerGetAttributes).
func (d *Device) Pinned(ptr unsafe.Pointer) (bool, error) {
	if err := d.usable(); err != nil {
		return false, err
	}
	i := C.pinring_pointer(d.ctx, C.uintptr_t(uintptr(ptr)))
	return i._type == C.CU_MEMORYTYPE_HOST && i.managed == 0, d.fail("cuPointerGetAttributes", int(i.code))
}
