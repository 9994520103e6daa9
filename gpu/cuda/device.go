//go:build cuda && linux

package cuda

// #include "driver.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/live"
)

var _ gpu.Device = (*Device)(nil)

var errClosed = errors.New("cuda device: used after Close")

// Toolkit tells that the package was built with the headers of NVIDIA's toolkit. The program then
// cannot start without a driver.
const Toolkit = C.PINRING_TOOLKIT != 0

// Device is a GPU in one context. It is safe for concurrent use.
type Device struct {
	info    gpu.Info
	managed bool // managed memory can be had
	dev     cu.Device
	arrival *arrival
	context cu.CUContext // this and what follows: after the arrival
	ctx     C.uintptr_t  // context, for C
	owned   bool         // the context is a primary one that Begin retained

	brisk    atomic.Bool // the last wait for an event was short
	live     live.Counts
	closed   atomic.Bool
	released atomic.Bool                     // the primary context was given back
	poison   atomic.Pointer[gpu.DeviceError] // the error that lost the context
}

// initialize opens the driver. Doing it again is cheap.
func initialize() error {
	var why [512]C.char
	code := int(C.pinring_driver_init(&why[0], C.size_t(len(why))))
	if code == C.CUDA_SUCCESS {
		return nil
	}
	reason := C.GoString(&why[0])
	if reason == "" {
		reason = fmt.Sprintf("cuInit: %s", message(code))
	}
	return &NoDriverError{Code: code, Reason: reason}
}

// Loads reports whether the driver's library is there. It does not ask the driver anything.
func Loads() bool { return C.pinring_driver_loads() != 0 }

// Count is the number of devices that the driver shows to this process.
func Count() (int, error) {
	if err := initialize(); err != nil {
		return 0, err
	}
	n, err := cu.NumDevices()
	if err != nil {
		return 0, deviceError("cuDeviceGetCount", codeOf(err))
	}
	return n, nil
}

// Open retains the primary context of the device with that number in CUDA's order.
func Open(index int) (*Device, error) {
	d, err := Begin(index)
	if err != nil {
		return nil, err
	}
	if err := d.Ready(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Begin is Open without the wait for the context, which is made meanwhile: see Note [Arrival]. What
// stands in its way is what [Device.Ready] says, and every call that needs a context.
func Begin(index int) (*Device, error) {
	n, err := Count()
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= n {
		return nil, fmt.Errorf("there is no CUDA device %d: the driver shows %d", index, n)
	}
	dev, err := cu.GetDevice(index)
	if err != nil {
		return nil, deviceError("cuDeviceGet", codeOf(err))
	}
	d := &Device{dev: dev, arrival: newArrival()}
	if err := d.describe(index); err != nil {
		return nil, err
	}
	go d.enter()
	return d, nil
}

// retain takes the primary context. The flags of one that is in use are its first user's affair.
func retain(dev cu.Device) (cu.CUContext, error) {
	_, active, err := dev.PrimaryCtxState()
	if err != nil {
		return cu.CUContext{}, deviceError("cuDevicePrimaryCtxGetState", codeOf(err))
	}
	if active == 0 {
		err := dev.SetPrimaryCtxFlags(cu.SchedBlockingSync)
		if code := codeOf(err); code != C.CUDA_SUCCESS && code != C.CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE {
			return cu.CUContext{}, deviceError("cuDevicePrimaryCtxSetFlags", code)
		}
	}
	context, err := dev.RetainPrimaryCtx()
	if err != nil {
		return cu.CUContext{}, deviceError("cuDevicePrimaryCtxRetain", codeOf(err))
	}
	return context, nil
}

// Wrap makes a device of a context (CUcontext) that somebody else owns. Close leaves it alone.
func Wrap(context uintptr) (*Device, error) {
	if context == 0 {
		return nil, errors.New("cuda device: there is no context to wrap")
	}
	if err := initialize(); err != nil {
		return nil, err
	}
	c := wrap[cu.CUContext](context)
	var dev cu.Device
	err := locked(c, func() (err error) {
		dev, err = cu.CurrentDevice()
		return err
	})
	if err != nil {
		return nil, deviceError("cuCtxGetDevice", codeOf(err))
	}
	d := &Device{dev: dev, arrival: newArrival()}
	d.arrive(c, nil)
	return d, d.describe(int(dev)) // a CUdevice is its number
}

// locked runs f on a thread with the context.
func locked(context cu.CUContext, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cu.SetCurrentContext(context); err != nil {
		return err
	}
	return f()
}

// do makes a call through gorgonia.org/cu with the device's context.
func (d *Device) do(call string, f func() error) error {
	return d.fail(call, codeOf(locked(d.context, f)))
}

// usable is what stands against making something new.
func (d *Device) usable() error {
	if d.closed.Load() {
		return errClosed
	}
	if err := d.Ready(); err != nil {
		return err
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
// It waits for the context, and is 0 when there is none.
func (d *Device) Context() uintptr {
	<-d.arrival.over
	return unwrap(d.context)
}

// MemInfo asks the driver (cuMemGetInfo).
func (d *Device) MemInfo() (m gpu.MemInfo, err error) {
	if err := d.usable(); err != nil {
		return m, err
	}
	err = d.do("cuMemGetInfo", func() (err error) {
		m.Free, m.Total, err = cu.MemInfo()
		return err
	})
	return m, err
}

// Close gives the primary context back. What is alive is reported; the context then stays until the
// last of it is freed, since releasing it would free memory that something may still write to. A
// lost context is kept for the same reason.
func (d *Device) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	<-d.arrival.over
	if err := d.live.Report("cuda device"); err != nil {
		return err
	}
	return d.release()
}

// Leave is Close at the end of a process: it reports what is alive, and leaves the context to the system, which
// takes it back anyway and is faster than the driver at that (docs/performance.md).
func (d *Device) Leave() error {
	if d.closed.Swap(true) {
		return nil
	}
	<-d.arrival.over
	return d.live.Report("cuda device")
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
	if err := d.dev.ReleasePrimaryCtx(); err != nil {
		return deviceError("cuDevicePrimaryCtxRelease", codeOf(err))
	}
	return nil
}

// pciBusID is the device's place, "0000:3b:00.0", empty when the driver does not say.
func pciBusID(dev cu.Device) string {
	var id [32]C.char
	if C.pinring_pci_bus_id(C.int(dev), &id[0], C.int(len(id))) != C.CUDA_SUCCESS {
		return ""
	}
	return strings.ToLower(C.GoString(&id[0]))
}
