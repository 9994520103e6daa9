//go:build windows || (linux && !cuda)

package nvml

import (
	"sync"
	"unsafe"
)

// Device is one card. It is valid until its Meter is closed. Safe for concurrent use.
type Device struct {
	lib    *library
	handle uintptr // nvmlDevice_t

	mu sync.Mutex
	v1 memoryV1 // here, and not on the stack, as the library writes to them
	v2 memoryV2
}

// memoryV1 is nvmlMemory_t of nvml.h.
type memoryV1 struct{ total, free, used uint64 }

// memoryV2 is nvmlMemory_v2_t; its version is its size and, in the highest byte, 2.
type memoryV2 struct {
	version                     uint32
	_                           uint32
	total, reserved, free, used uint64
}

const memoryV2Version = uint32(unsafe.Sizeof(memoryV2{})) | 2<<24

// processInfo is nvmlProcessInfo_t.
type processInfo struct {
	pid                          uint32
	_                            uint32
	used                         uint64
	gpuInstance, computeInstance uint32
}

// The driver models of nvmlDriverModel_t.
const (
	modelWDDM = 0
	modelMCDM = 2
)

// Memory asks for the card's memory.
func (d *Device) Memory() (Memory, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.v2 = memoryV2{version: memoryV2Version}
	if d.lib.call("nvmlDeviceGetMemoryInfo_v2", d.handle, uintptr(unsafe.Pointer(&d.v2))) == success {
		return Memory{int64(d.v2.total), int64(d.v2.free), int64(d.v2.used), int64(d.v2.reserved)}.sane()
	}
	d.v1 = memoryV1{}
	r := d.lib.call("nvmlDeviceGetMemoryInfo", d.handle, uintptr(unsafe.Pointer(&d.v1)))
	if err := d.lib.failed("nvmlDeviceGetMemoryInfo", r); err != nil {
		return Memory{}, err
	}
	return Memory{Total: int64(d.v1.total), Free: int64(d.v1.free), Used: int64(d.v1.used)}.sane()
}

// DriverModel asks for the current model. Only Windows has one to tell.
func (d *Device) DriverModel() (DriverModel, error) {
	models := new([2]int32) // current, pending
	r := d.lib.call("nvmlDeviceGetDriverModel_v2", d.handle, uintptr(unsafe.Pointer(&models[0])), uintptr(unsafe.Pointer(&models[1])))
	if r == errFunctionNotFound {
		r = d.lib.call("nvmlDeviceGetDriverModel", d.handle, uintptr(unsafe.Pointer(&models[0])), uintptr(unsafe.Pointer(&models[1])))
	}
	if absent(r) {
		return Linux, nil
	}
	if err := d.lib.failed("nvmlDeviceGetDriverModel", r); err != nil {
		return "", err
	}
	switch models[0] {
	case modelWDDM:
		return WDDM, nil
	case modelMCDM:
		return MCDM, nil
	}
	return TCC, nil
}

// Processes lists the processes with compute and graphics contexts, each once. The second result
// is false when the driver does not say.
func (d *Device) Processes() ([]Process, bool, error) {
	compute, r := d.list("nvmlDeviceGetComputeRunningProcesses_v3")
	if absent(r) {
		return nil, false, nil
	}
	if err := d.lib.failed("nvmlDeviceGetComputeRunningProcesses", r); err != nil {
		return nil, false, err
	}
	graphics, r := d.list("nvmlDeviceGetGraphicsRunningProcesses_v3")
	if !absent(r) {
		if err := d.lib.failed("nvmlDeviceGetGraphicsRunningProcesses", r); err != nil {
			return nil, false, err
		}
	}
	return merged(compute, graphics), true, nil
}

// list asks with more and more room: processes may start meanwhile.
func (d *Device) list(function string) ([]processInfo, int) {
	for room := uint32(16); ; room *= 2 {
		infos := make([]processInfo, room)
		count := new(uint32)
		*count = room
		r := d.lib.call(function, d.handle, uintptr(unsafe.Pointer(count)), uintptr(unsafe.Pointer(&infos[0])))
		if r != success {
			if r == errInsufficientSize && room < 1<<16 {
				continue
			}
			return nil, r
		}
		return infos[:min(*count, room)], success
	}
}

// merged joins the lists: a process with both sorts of context is in both, with the same figure.
func merged(lists ...[]processInfo) []Process {
	var all []Process
	seen := map[uint32]bool{}
	for _, list := range lists {
		for _, p := range list {
			if seen[p.pid] {
				continue
			}
			seen[p.pid] = true
			all = append(all, process(p))
		}
	}
	return all
}

// process converts one entry: NVML_VALUE_NOT_AVAILABLE, and what cannot be a size, is absent.
func process(p processInfo) Process {
	if p.used > mostBytes {
		return Process{PID: int(p.pid)}
	}
	return Process{PID: int(p.pid), Bytes: int64(p.used), Known: true}
}
