//go:build windows || linux

package nvcuda

import (
	"bytes"
	"fmt"
	"strings"
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/cudaapi"
)

// describe fills in Info.
func (d *Device) describe(index int) error {
	name := make([]byte, 256)
	if code := d.lib.call(cudaapi.CuDeviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(d.dev)); code != cudaapi.CUDA_SUCCESS {
		return d.lib.deviceError("cuDeviceGetName", code)
	}
	d.info = gpu.Info{
		Kind: gpu.CUDA, Name: text(name), Index: index, PCI: d.pciBusID(), UUID: d.uuid(), LUID: d.luid(),
		DriverAPI: d.lib.version(), Limits: gpu.Limits{HostAlign: hostAlign, DeviceAlign: 256},
	}
	var concurrent, managed, gridRows, tcc int
	for _, a := range []struct {
		attribute uintptr
		value     *int
	}{
		{cudaapi.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &d.info.ComputeMajor},
		{cudaapi.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &d.info.ComputeMinor},
		{cudaapi.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &d.info.MultiProcessors},
		{cudaapi.CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, &d.info.AsyncEngines},
		{cudaapi.CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, &concurrent},
		{cudaapi.CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, &managed},
		{cudaapi.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &gridRows},
		{cudaapi.CU_DEVICE_ATTRIBUTE_TCC_DRIVER, &tcc},
	} {
		var v int32
		if code := d.lib.call(cudaapi.CuDeviceGetAttribute, uintptr(unsafe.Pointer(&v)), a.attribute, uintptr(d.dev)); code != cudaapi.CUDA_SUCCESS {
			return d.lib.deviceError("cuDeviceGetAttribute", code)
		}
		*a.value = int(v)
	}
	d.info.ConcurrentManaged, d.managed = concurrent != 0, managed != 0
	d.info.DriverModelIsWDDM = onWindows && tcc == 0
	d.info.Limits.MaxGridRows = gridRows * gpu.BlockRows
	return nil
}

// text is what is before the NUL.
func text(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(b)
}

// version is the newest CUDA version that the driver supports.
func (l *library) version() int {
	var v int32
	l.call(cudaapi.CuDriverGetVersion, uintptr(unsafe.Pointer(&v)))
	return int(v)
}

// pciBusID is the device's place, "0000:3b:00.0", empty when the driver does not say.
func (d *Device) pciBusID() string {
	id := make([]byte, 32)
	if d.lib.call(cudaapi.CuDeviceGetPCIBusId, uintptr(unsafe.Pointer(&id[0])), uintptr(len(id)), uintptr(d.dev)) != cudaapi.CUDA_SUCCESS {
		return ""
	}
	return strings.ToLower(text(id))
}

// uuid is "GPU-…" as NVML spells it, empty when the driver does not say.
func (d *Device) uuid() string {
	var u [16]byte
	if d.lib.call(cudaapi.CuDeviceGetUuid, uintptr(unsafe.Pointer(&u)), uintptr(d.dev)) != cudaapi.CUDA_SUCCESS {
		return ""
	}
	return fmt.Sprintf("GPU-%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// luid is what DXGI knows the device by; Linux has none.
func (d *Device) luid() (l [8]byte) {
	var mask uint32
	if d.lib.call(cudaapi.CuDeviceGetLuid, uintptr(unsafe.Pointer(&l)), uintptr(unsafe.Pointer(&mask)), uintptr(d.dev)) != cudaapi.CUDA_SUCCESS {
		return [8]byte{}
	}
	return l
}
