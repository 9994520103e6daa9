//go:build linux && cgo

package cpu

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/pinring/pinring/gpu"
)

var (
	_ gpu.Buffer     = (*buffer)(nil)
	_ gpu.HostBuffer = (*hostBuffer)(nil)
)

// buffer is an anonymous mapping.
type buffer struct {
	dev   *Device
	ptr   unsafe.Pointer
	bytes int
	freed atomic.Bool
}

// hostBuffer is a buffer that remembers which kind it was asked for.
type hostBuffer struct {
	buffer
	kind gpu.HostKind
}

// AllocHost maps memory. Every kind is accepted: for the host they are the same.
func (d *Device) AllocHost(bytes int, kind gpu.HostKind) (gpu.HostBuffer, error) {
	if int(kind) >= gpu.NumHostKinds {
		return nil, fmt.Errorf("cpu device: host memory of kind %d: %w", kind, gpu.ErrUnsupported)
	}
	ptr, err := d.mapMemory(bytes)
	if err != nil {
		return nil, err
	}
	d.live.HostBuffers.Add(1)
	d.live.HostBytes.Add(int64(bytes))
	return &hostBuffer{buffer{dev: d, ptr: ptr, bytes: bytes}, kind}, nil
}

// Alloc maps memory.
func (d *Device) Alloc(bytes int) (gpu.Buffer, error) {
	ptr, err := d.mapMemory(bytes)
	if err != nil {
		return nil, err
	}
	d.live.Buffers.Add(1)
	d.live.Bytes.Add(int64(bytes))
	return &buffer{dev: d, ptr: ptr, bytes: bytes}, nil
}

// mapMemory maps private zero pages, none of which exists before it is touched. Whatever makes
// mmap refuse a well-formed request is a lack of memory or of address space.
func (d *Device) mapMemory(bytes int) (unsafe.Pointer, error) {
	if d.closed.Load() {
		return nil, errClosed
	}
	if bytes <= 0 {
		return nil, fmt.Errorf("cpu device: allocation of %d bytes", bytes)
	}
	if bytes > math.MaxInt-d.info.Limits.HostAlign {
		return nil, &gpu.OutOfMemoryError{Call: "mmap", Code: int(unix.ENOMEM), Requested: int64(bytes), Reason: "larger than the address space"}
	}
	ptr, err := unix.MmapPtr(-1, 0, nil, uintptr(bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err == nil {
		return ptr, nil
	}
	oom := &gpu.OutOfMemoryError{Call: "mmap", Requested: int64(bytes), Reason: err.Error()}
	var errno unix.Errno
	if errors.As(err, &errno) {
		oom.Code = int(errno)
	}
	return nil, oom
}

// Addr is the host's address: it is the device's, too.
func (b *buffer) Addr() gpu.Addr { return gpu.Addr(uintptr(b.ptr)) }

func (b *buffer) Bytes() int { return b.bytes }

// Free unmaps the memory. The second time does nothing.
func (b *buffer) Free() error {
	if b.freed.Swap(true) {
		return nil
	}
	b.dev.live.Buffers.Add(-1)
	b.dev.live.Bytes.Add(-int64(b.bytes))
	return b.unmap()
}

func (b *buffer) unmap() error {
	if err := unix.MunmapPtr(b.ptr, uintptr(b.bytes)); err != nil {
		return fmt.Errorf("cpu device: munmap of %d bytes: %w", b.bytes, err)
	}
	return nil
}

func (b *hostBuffer) Ptr() unsafe.Pointer  { return b.ptr }
func (b *hostBuffer) Kind() gpu.HostKind   { return b.kind }
func (b *hostBuffer) DeviceAddr() gpu.Addr { return b.Addr() }

// Free unmaps the memory. The second time does nothing.
func (b *hostBuffer) Free() error {
	if b.freed.Swap(true) {
		return nil
	}
	b.dev.live.HostBuffers.Add(-1)
	b.dev.live.HostBytes.Add(-int64(b.bytes))
	return b.unmap()
}
