//go:build windows || linux

package nvcuda

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/cudaapi"
)

var _ gpu.HostBuffer = (*hostBuffer)(nil)

const hostAlign = 4096

// hostBuffer is host memory. base is what was allocated; ptr is the first aligned byte of it.
type hostBuffer struct {
	dev       *Device
	kind      gpu.HostKind
	base, ptr unsafe.Pointer
	size      int // bytes allocated from base
	bytes     int // bytes asked for, from ptr
	device    gpu.Addr
	freed     atomic.Bool
}

// AllocHost allocates host memory of the kind. Managed memory needs a device that has it.
func (d *Device) AllocHost(bytes int, kind gpu.HostKind) (gpu.HostBuffer, error) {
	if int(kind) >= gpu.NumHostKinds || kind == gpu.Managed && !d.managed {
		return nil, fmt.Errorf("cuda device: host memory of kind %v: %w", kind, gpu.ErrUnsupported)
	}
	if err := d.checkSize(hostCall(kind), bytes); err != nil {
		return nil, err
	}
	b := &hostBuffer{dev: d, kind: kind, bytes: bytes}
	if err := b.alloc((bytes + hostAlign - 1) &^ (hostAlign - 1)); err != nil {
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
	d.live.HostBuffers.Add(1)
	d.live.HostBytes.Add(int64(bytes))
	return b, nil
}

// hostCall is the call that makes memory of the kind, for errors.
func hostCall(kind gpu.HostKind) string {
	switch kind {
	case gpu.Pageable:
		return pageCall
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
		return b.pages()
	case gpu.Registered:
		return b.register()
	case gpu.Managed:
		return b.make(cudaapi.CuMemAllocManaged, cudaapi.CU_MEM_ATTACH_GLOBAL)
	case gpu.Mapped:
		return b.make(cudaapi.CuMemHostAlloc, cudaapi.CU_MEMHOSTALLOC_PORTABLE|cudaapi.CU_MEMHOSTALLOC_DEVICEMAP)
	case gpu.WriteCombined:
		return b.make(cudaapi.CuMemHostAlloc, cudaapi.CU_MEMHOSTALLOC_PORTABLE|cudaapi.CU_MEMHOSTALLOC_WRITECOMBINED)
	}
	return b.make(cudaapi.CuMemHostAlloc, cudaapi.CU_MEMHOSTALLOC_PORTABLE)
}

// make has the driver allocate. Managed memory has the same address on both sides.
func (b *hostBuffer) make(f cudaapi.Function, flags uintptr) error {
	code := b.dev.call(f, uintptr(unsafe.Pointer(&b.base)), uintptr(b.size), flags)
	return b.dev.failAlloc(hostCall(b.kind), code, b.bytes)
}

func (b *hostBuffer) pages() (err error) {
	if b.base, err = allocPages(b.size); err != nil {
		return &gpu.OutOfMemoryError{Call: pageCall, Code: noMemory, Requested: int64(b.bytes), Reason: err.Error()}
	}
	return nil
}

func (b *hostBuffer) register() error {
	if err := b.pages(); err != nil {
		return err
	}
	code := b.dev.call(cudaapi.CuMemHostRegister, uintptr(b.base), uintptr(b.size), cudaapi.CU_MEMHOSTREGISTER_PORTABLE)
	if err := b.dev.failAlloc(hostCall(b.kind), code, b.bytes); err != nil {
		return errors.Join(err, freePages(b.base, b.size))
	}
	return nil
}

// mapped finds out where kernels see the memory.
func (b *hostBuffer) mapped() error {
	switch b.kind {
	case gpu.Managed:
		b.device = b.Addr()
	case gpu.Mapped:
		code := b.dev.call(cudaapi.CuMemHostGetDevicePointer, uintptr(unsafe.Pointer(&b.device)), uintptr(b.ptr), 0)
		return b.dev.fail("cuMemHostGetDevicePointer", code)
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
	switch b.kind {
	case gpu.Pageable:
		return freePages(b.base, b.size)
	case gpu.Registered:
		if err := d.fail("cuMemHostUnregister", d.call(cudaapi.CuMemHostUnregister, uintptr(b.base))); err != nil {
			return err // unmapping what is still registered would pull pages from under the device
		}
		return freePages(b.base, b.size)
	case gpu.Managed:
		return d.fail("cuMemFree", d.call(cudaapi.CuMemFree, uintptr(b.base)))
	}
	return d.fail("cuMemFreeHost", d.call(cudaapi.CuMemFreeHost, uintptr(b.base)))
}

// Pinned reports whether the driver knows ptr as page-locked host memory (cuPointerGetAttributes).
func (d *Device) Pinned(ptr unsafe.Pointer) (bool, error) {
	a := &struct {
		what    [2]uint32
		where   [2]unsafe.Pointer
		kind    uint32
		managed int32
	}{what: [2]uint32{cudaapi.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, cudaapi.CU_POINTER_ATTRIBUTE_IS_MANAGED}}
	a.where = [2]unsafe.Pointer{unsafe.Pointer(&a.kind), unsafe.Pointer(&a.managed)}
	code := d.call(cudaapi.CuPointerGetAttributes, 2, uintptr(unsafe.Pointer(&a.what)), uintptr(unsafe.Pointer(&a.where)), uintptr(ptr))
	return a.kind == cudaapi.CU_MEMORYTYPE_HOST && a.managed == 0, d.fail("cuPointerGetAttributes", code)
}
