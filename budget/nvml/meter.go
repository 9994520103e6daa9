//go:build cuda && linux

package nvml

import (
	"errors"
	"fmt"

	nv "github.com/NVIDIA/go-nvml/pkg/nvml"
)

// Meter is the opened library. Safe for concurrent use until Close.
type Meter struct {
	lib nv.Interface
}

// called are the functions that are called without a look whether the library has them, under any of their
// names. Calling one that is missing ends the process.
var called = [][]string{
	{"nvmlInit_v2", "nvmlInit"}, {"nvmlShutdown"}, {"nvmlErrorString"}, {"nvmlSystemGetDriverVersion"},
	{"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"},
	{"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"},
	{"nvmlDeviceGetHandleByUUID"}, {"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"},
	{"nvmlDeviceGetName"}, {"nvmlDeviceGetMemoryInfo"}, {"nvmlDeviceGetDriverModel"},
	{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses"},
	{"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2", "nvmlDeviceGetGraphicsRunningProcesses"},
}

// Open opens libnvidia-ml.so.1.
func Open() (*Meter, error) {
	if _, err := load(called...); err != nil {
		return nil, err
	}
	return open(nv.New())
}

func open(lib nv.Interface) (*Meter, error) {
	if err := failed("nvmlInit", lib.Init()); err != nil {
		return nil, err
	}
	return &Meter{lib: lib}, nil
}

// failed turns a result, which is an error even when it means success, into an error or nil.
func failed(call string, r nv.Return) error {
	if r == nv.SUCCESS {
		return nil
	}
	return fmt.Errorf("%s: %s (NVML result %d)", call, words(r), int(r))
}

// words avoids asking a library that is not there for its words.
func words(r nv.Return) string {
	if r == nv.ERROR_LIBRARY_NOT_FOUND {
		return "libnvidia-ml.so.1 cannot be opened; is the NVIDIA driver installed?"
	}
	return nv.ErrorString(r)
}

// absent reports whether a result only says that there is no answer.
func absent(r nv.Return) bool {
	switch r {
	case nv.ERROR_NOT_SUPPORTED, nv.ERROR_NO_PERMISSION, nv.ERROR_FUNCTION_NOT_FOUND, nv.ERROR_NO_DATA:
		return true
	}
	return false
}

// Close gives the library back.
func (m *Meter) Close() error { return failed("nvmlShutdown", m.lib.Shutdown()) }

// DriverVersion is the driver's version, "580.159.04".
func (m *Meter) DriverVersion() (string, error) {
	v, r := m.lib.SystemGetDriverVersion()
	return v, failed("nvmlSystemGetDriverVersion", r)
}

// CUDAVersion is the newest CUDA version that the driver supports, e.g. 13000.
func (m *Meter) CUDAVersion() (int, error) {
	// Calling a function that a library lacks would end the process.
	if m.lib.Extensions().LookupSymbol("nvmlSystemGetCudaDriverVersion_v2") == nil {
		v, r := m.lib.SystemGetCudaDriverVersion_v2()
		return v, failed("nvmlSystemGetCudaDriverVersion", r)
	}
	v, r := m.lib.SystemGetCudaDriverVersion()
	return v, failed("nvmlSystemGetCudaDriverVersion", r)
}

// Find finds a device by the UUID ("GPU-…") or, where that is empty, by the PCI address
// ("0000:3b:00.0") that gpu.Info gives.
func (m *Meter) Find(uuid, pci string) (*Device, error) {
	var dev nv.Device
	var r nv.Return
	what := uuid
	switch {
	case uuid != "":
		dev, r = m.lib.DeviceGetHandleByUUID(uuid)
	case pci != "":
		what = pci
		dev, r = m.lib.DeviceGetHandleByPciBusId(pci)
	default:
		return nil, errors.New("nvml: a device without UUID and PCI address cannot be found")
	}
	if r == nv.ERROR_NOT_FOUND || r == nv.ERROR_INVALID_ARGUMENT {
		return nil, fmt.Errorf("nvml: %s: %w", what, ErrNoDevice)
	}
	if err := failed("nvmlDeviceGetHandle of "+what, r); err != nil {
		return nil, err
	}
	return &Device{lib: m.lib, dev: dev}, nil
}
