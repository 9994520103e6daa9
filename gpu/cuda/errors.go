//go:build cuda && linux

package cuda

// #include "driver.h"
import "C"

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/cudaapi"
)

// NoDriverError says that CUDA cannot be used at all on this machine, in the words of the dynamic
// loader or of the driver.
type NoDriverError struct {
	Code   int // CUresult of cuInit, 303 when libcuda cannot be opened
	Reason string
}

func (e *NoDriverError) Error() string {
	if e.Code == C.CUDA_ERROR_SHARED_OBJECT_INIT_FAILED {
		return "no NVIDIA driver: " + e.Reason
	}
	return "the NVIDIA driver cannot be used: " + e.Reason
}

// fail turns a result into an error, nil for success, and remembers a poisoned context.
func (d *Device) fail(call string, code int) error {
	if code == C.CUDA_SUCCESS {
		return nil
	}
	e := deviceError(call, code)
	if e.Poisoned {
		d.poison.CompareAndSwap(nil, e)
	}
	return e
}

// failAlloc is fail, with out of memory as its own error. Only the result that says so counts:
// others that a failed pin can have may have other causes.
func (d *Device) failAlloc(call string, code int, bytes int) error {
	if code == C.CUDA_ERROR_OUT_OF_MEMORY {
		return &gpu.OutOfMemoryError{Call: call, Code: code, Requested: int64(bytes)}
	}
	return d.fail(call, code)
}

// deviceError asks the driver for its words.
func deviceError(call string, code int) *gpu.DeviceError {
	return &gpu.DeviceError{Call: call, Code: code, Message: message(code), Poisoned: cudaapi.Poisonous(code)}
}

func message(code int) string {
	var name, text *C.char
	C.pinring_error_text(C.int(code), &name, &text)
	if name == nil || text == nil {
		if code == C.CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND {
			return "the library has no such function: it is not the driver's, or too old"
		}
		return "a result that this driver has no words for"
	}
	return fmt.Sprintf("%s (%s)", C.GoString(text), C.GoString(name))
}

// codeOf is the result inside an error of gorgonia.org/cu, whose type is an unexported integer.
func codeOf(err error) int {
	if err == nil {
		return C.CUDA_SUCCESS
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if v := reflect.ValueOf(e); v.CanInt() {
			return int(v.Int())
		}
	}
	return C.CUDA_ERROR_UNKNOWN
}
