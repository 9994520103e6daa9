//go:build windows || linux

package nvcuda

import (
	"fmt"
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/cudaapi"
)

// NoDriverError says that CUDA cannot be used at all on this machine, in the words of the system's
// loader or of the driver.
type NoDriverError struct {
	Code   int // CUresult of cuInit, 303 when the library cannot be opened
	Reason string
}

func (e *NoDriverError) Error() string {
	if e.Code == cudaapi.CUDA_ERROR_SHARED_OBJECT_INIT_FAILED {
		return "no NVIDIA driver: " + e.Reason
	}
	return "the NVIDIA driver cannot be used: " + e.Reason
}

// fail turns a result into an error, nil for success, and remembers a poisoned context.
func (d *Device) fail(call string, code int) error {
	if code == cudaapi.CUDA_SUCCESS {
		return nil
	}
	e := d.lib.deviceError(call, code)
	if e.Poisoned {
		d.poison.CompareAndSwap(nil, e)
	}
	return e
}

// failAlloc is fail, with out of memory as its own error. Only the result that says so counts:
// others that a failed pin can have may have other causes.
func (d *Device) failAlloc(call string, code, bytes int) error {
	if code == cudaapi.CUDA_ERROR_OUT_OF_MEMORY {
		return &gpu.OutOfMemoryError{Call: call, Code: code, Requested: int64(bytes)}
	}
	return d.fail(call, code)
}

// deviceError asks the driver for its words.
func (l *library) deviceError(call string, code int) *gpu.DeviceError {
	return &gpu.DeviceError{Call: call, Code: code, Message: l.message(code), Poisoned: cudaapi.Poisonous(code)}
}

func (l *library) message(code int) string {
	var name, text *byte // of the driver's memory, for good
	l.call(cudaapi.CuGetErrorName, uintptr(code), uintptr(unsafe.Pointer(&name)))
	l.call(cudaapi.CuGetErrorString, uintptr(code), uintptr(unsafe.Pointer(&text)))
	if name == nil || text == nil {
		if code == cudaapi.CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND {
			return "the library has no such function: it is not the driver's, or too old"
		}
		return "a result that this driver has no words for"
	}
	return fmt.Sprintf("%s (%s)", cString(text), cString(name))
}

// cString copies a string that ends with a NUL.
func cString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
