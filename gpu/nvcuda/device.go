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
	"github.com/pinring/pinring/gpu/internal/live"
)

var _ gpu.Device = (*Device)(nil)

var errClosed = errors.New("cuda device: used after Close")

// Device is a GPU in one context. It is safe for concurrent use.
type Device struct {
	lib     *library
	info    gpu.Info
	managed bool // managed memory can be had
	dev     int32
	ctx     uintptr // CUcontext
	owned   bool    // the context is a primary one that Open retained

	live     live.Counts
	closed   atomic.Bool
	released atomic.Bool                     // the primary context was given back
	poison   atomic.Pointer[gpu.DeviceError] // the error that lost the context
}

// Count is the number of devices that the driver shows to this process.
func Count() (int, error) {
	l, err := initialize()
	if err != nil {
		return 0, err
	}
	return l.count()
}

func (l *library) count() (int, error) {
	var n int32
	if code := l.call(cudaapi.CuDeviceGetCount, uintptr(unsafe.Pointer(&n))); code != cudaapi.CUDA_SUCCESS {
		return 0, l.deviceError("cuDeviceGetCount", code)
	}
	return int(n), nil
}

// Describe tells what Open's device would say of itself, and makes no context, which would take memory.
func Describe(index int) (gpu.Info, error) {
	d, err := find(index)
	if err != nil {
		return gpu.Info{}, err
	}
	err = d.describe(index)
	return d.info, err
}

// find looks for the device with that number. It has no context yet.
func find(index int) (*Device, error) {
	l, err := initialize()
	if err != nil {
		return nil, err
	}
	n, err := l.count()
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= n {
		return nil, fmt.Errorf("there is no CUDA device %d: the driver shows %d", index, n)
	}
	d := &Device{lib: l}
	if code := l.call(cudaapi.CuDeviceGet, uintptr(unsafe.Pointer(&d.dev)), uintptr(index)); code != cudaapi.CUDA_SUCCESS {
		return nil, l.deviceError("cuDeviceGet", code)
	}
	return d, nil
}

// Open retains the primary context of the device with that number in CUDA's order.
func Open(index int) (*Device, error) {
	d, err := find(index)
	if err != nil {
		return nil, err
	}
	d.owned = true
	if err := d.retain(); err != nil {
		return nil, err
	}
	if err := d.describe(index); err != nil {
		return nil, errors.Join(err, d.release())
	}
	return d, nil
}

// retain takes the primary context. The flags of one that is in use are its first user's affair.
func (d *Device) retain() error {
	l, dev := d.lib, uintptr(d.dev)
	var flags uint32
	var active int32
	code := l.call(cudaapi.CuDevicePrimaryCtxGetState, dev, uintptr(unsafe.Pointer(&flags)), uintptr(unsafe.Pointer(&active)))
	if code != cudaapi.CUDA_SUCCESS {
		return l.deviceError("cuDevicePrimaryCtxGetState", code)
	}
	if active == 0 {
		code := l.call(cudaapi.CuDevicePrimaryCtxSetFlags, dev, cudaapi.CU_CTX_SCHED_BLOCKING_SYNC)
		if code != cudaapi.CUDA_SUCCESS && code != cudaapi.CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE {
			return l.deviceError("cuDevicePrimaryCtxSetFlags", code)
		}
	}
	if code := l.call(cudaapi.CuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&d.ctx)), dev); code != cudaapi.CUDA_SUCCESS {
		return d.failAlloc("cuDevicePrimaryCtxRetain", code, 0)
	}
	return nil
}

// Wrap makes a device of a context (CUcontext) that somebody else owns. Close leaves it alone.
func Wrap(context uintptr) (*Device, error) {
	if context == 0 {
		return nil, errors.New("cuda device: there is no context to wrap")
	}
	l, err := initialize()
	if err != nil {
		return nil, err
	}
	d := &Device{lib: l, ctx: context}
	if code := d.call(cudaapi.CuCtxGetDevice, uintptr(unsafe.Pointer(&d.dev))); code != cudaapi.CUDA_SUCCESS {
		return nil, l.deviceError("cuCtxGetDevice", code)
	}
	return d, d.describe(int(d.dev)) // a CUdevice is its number
}

// call makes a call with the device's context on a thread that is locked meanwhile; the arguments are
// as for library.call.
//
//go:uintptrescapes
func (d *Device) call(f cudaapi.Function, args ...uintptr) int { return d.plain(f, args...) }

// plain is call with arguments as for library.plain.
func (d *Device) plain(f cudaapi.Function, args ...uintptr) int {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if code := d.lib.plain(cudaapi.CuCtxSetCurrent, d.ctx); code != cudaapi.CUDA_SUCCESS {
		return code
	}
	return d.lib.plain(f, args...)
}

// usable is what stands against making something new.
func (d *Device) usable() error {
	if d.closed.Load() {
		return errClosed
	}
	return d.lost()
}

// lost is the error that poisoned the context, nil while it is well.
func (d *Device) lost() error {
	if e := d.poison.Load(); e != nil {
		return e
	}
	return nil
}

// Info describes the device.
func (d *Device) Info() gpu.Info { return d.info }

// Context is the driver's handle (CUcontext), to share it with other libraries.
func (d *Device) Context() uintptr { return d.ctx }

// MemInfo asks the driver (cuMemGetInfo).
func (d *Device) MemInfo() (gpu.MemInfo, error) {
	if err := d.usable(); err != nil {
		return gpu.MemInfo{}, err
	}
	var free, total uint64
	code := d.call(cudaapi.CuMemGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	return gpu.MemInfo{Free: int64(free), Total: int64(total)}, d.fail("cuMemGetInfo", code)
}

// Close gives the primary context back. What is alive is reported; the context then stays until the
// last of it is freed, since releasing it would free memory that something may still write to. A
// lost context is kept for the same reason.
func (d *Device) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	if err := d.live.Report("cuda device"); err != nil {
		return err
	}
	return d.release()
}

// gone is called when something has been freed: the last such thing after Close ends the device.
func (d *Device) gone() error {
	if !d.closed.Load() || d.live.Report("") != nil {
		return nil
	}
	return d.release()
}

// release gives the primary context back, once.
func (d *Device) release() error {
	if !d.owned || d.lost() != nil || d.released.Swap(true) {
		return nil
	}
	if code := d.lib.call(cudaapi.CuDevicePrimaryCtxRelease, uintptr(d.dev)); code != cudaapi.CUDA_SUCCESS {
		return d.lib.deviceError("cuDevicePrimaryCtxRelease", code)
	}
	return nil
}
