//go:build windows || (linux && !cuda)

package nvml

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/pinring/pinring/internal/sharedlib"
)

// Results of NVML's functions (nvmlReturn_t of nvml.h).
const (
	success             = 0
	errInvalidArgument  = 2
	errNotSupported     = 3
	errNoPermission     = 4
	errNotFound         = 6
	errInsufficientSize = 7
	errFunctionNotFound = 13
	errNoData           = 21
)

// Meter is the opened library. Safe for concurrent use until Close.
type Meter struct{ lib *library }

// library finds a function when it is first called.
type library struct {
	handle sharedlib.Library
	procs  sync.Map // name to address
}

// Open opens the library.
func Open() (*Meter, error) {
	handle, err := load([]string{"nvmlInit_v2"})
	if err != nil {
		return nil, err
	}
	m := &Meter{&library{handle: handle}}
	return m, m.lib.failed("nvmlInit", m.lib.call("nvmlInit_v2"))
}

// call calls a function and returns its result. Pointers are converted to uintptr in the argument
// list itself.
//
//go:uintptrescapes
func (l *library) call(name string, args ...uintptr) int {
	proc := l.proc(name)
	if proc == 0 {
		return errFunctionNotFound
	}
	return int(int32(sharedlib.Call(proc, args)))
}

func (l *library) proc(name string) uintptr {
	if p, ok := l.procs.Load(name); ok {
		return p.(uintptr)
	}
	p := l.handle.Symbol(name)
	l.procs.Store(name, p)
	return p
}

// failed turns a result into an error, nil for success, in the library's words.
func (l *library) failed(call string, result int) error {
	if result == success {
		return nil
	}
	words := "the driver lacks the function"
	if proc := l.proc("nvmlErrorString"); proc != 0 && result != errFunctionNotFound {
		r := sharedlib.Call(proc, []uintptr{uintptr(result)})
		words = cString(*(**byte)(unsafe.Pointer(&r))) // of the library's memory, for good
	}
	return fmt.Errorf("%s: %s (NVML result %d)", call, words, result)
}

func cString(p *byte) string {
	if p == nil {
		return "unknown"
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// absent reports whether a result only says that there is no answer.
func absent(result int) bool {
	switch result {
	case errNotSupported, errNoPermission, errFunctionNotFound, errNoData:
		return true
	}
	return false
}

// Close gives the library back.
func (m *Meter) Close() error { return m.lib.failed("nvmlShutdown", m.lib.call("nvmlShutdown")) }

// DriverVersion is the driver's version, "580.159.04".
func (m *Meter) DriverVersion() (string, error) {
	text := new([96]byte)
	err := m.lib.failed("nvmlSystemGetDriverVersion", m.lib.call("nvmlSystemGetDriverVersion", uintptr(unsafe.Pointer(text)), uintptr(len(text)-1)))
	return cString(&text[0]), err
}

// CUDAVersion is the newest CUDA version that the driver supports, e.g. 13000.
func (m *Meter) CUDAVersion() (int, error) {
	v := new(int32)
	err := m.lib.failed("nvmlSystemGetCudaDriverVersion", m.lib.call("nvmlSystemGetCudaDriverVersion_v2", uintptr(unsafe.Pointer(v))))
	return int(*v), err
}

// Find finds a device by the UUID ("GPU-…") or, where that is empty, by the PCI address
// ("0000:3b:00.0") that gpu.Info gives.
func (m *Meter) Find(uuid, pci string) (*Device, error) {
	function, what := "nvmlDeviceGetHandleByUUID", uuid
	if uuid == "" {
		function, what = "nvmlDeviceGetHandleByPciBusId_v2", pci
	}
	if what == "" {
		return nil, errors.New("nvml: a device without UUID and PCI address cannot be found")
	}
	text := append([]byte(what), 0)
	d := &Device{lib: m.lib}
	r := m.lib.call(function, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&d.handle)))
	if r == errNotFound || r == errInvalidArgument {
		return nil, fmt.Errorf("nvml: %s: %w", what, ErrNoDevice)
	}
	return d, m.lib.failed("nvmlDeviceGetHandle of "+what, r)
}
