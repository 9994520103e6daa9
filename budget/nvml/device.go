//go:build cuda && linux

package nvml

import (
	"fmt"

	nv "github.com/NVIDIA/go-nvml/pkg/nvml"
)

// Device is one card. It is valid until its Meter is closed. Safe for concurrent use.
type Device struct {
	lib nv.Interface
	dev nv.Device
}

// Memory asks for the card's memory.
func (d *Device) Memory() (Memory, error) {
	// Calling a function that an old library lacks would end the process.
	if d.lib.Extensions().LookupSymbol("nvmlDeviceGetMemoryInfo_v2") == nil {
		if v, r := d.dev.GetMemoryInfo_v2(); r == nv.SUCCESS {
			return Memory{int64(v.Total), int64(v.Free), int64(v.Used), int64(v.Reserved)}.sane()
		}
	}
	v, r := d.dev.GetMemoryInfo()
	if err := failed("nvmlDeviceGetMemoryInfo", r); err != nil {
		return Memory{}, err
	}
	return Memory{Total: int64(v.Total), Free: int64(v.Free), Used: int64(v.Used)}.sane()
}

// DriverModel asks for the current model. Only Windows has one to tell.
func (d *Device) DriverModel() (DriverModel, error) {
	current, _, r := d.dev.GetDriverModel()
	if absent(r) {
		return Linux, nil
	}
	if err := failed("nvmlDeviceGetDriverModel", r); err != nil {
		return "", err
	}
	switch current {
	case nv.DRIVER_WDDM:
		return WDDM, nil
	case nv.DRIVER_MCDM:
		return MCDM, nil
	}
	return TCC, nil
}

// Processes lists the processes with compute and graphics contexts, each once. The second result
// is false when the driver does not say.
func (d *Device) Processes() (list []Process, known bool, err error) {
	defer func() { // go-nvml takes the library's counts as they are
		if broken := recover(); broken != nil {
			list, known, err = nil, false, fmt.Errorf("nvmlDeviceGetComputeRunningProcesses: the library contradicts itself: %v", broken)
		}
	}()
	compute, r := d.dev.GetComputeRunningProcesses()
	if absent(r) {
		return nil, false, nil
	}
	if err := failed("nvmlDeviceGetComputeRunningProcesses", r); err != nil {
		return nil, false, err
	}
	graphics, r := d.dev.GetGraphicsRunningProcesses()
	if !absent(r) {
		if err := failed("nvmlDeviceGetGraphicsRunningProcesses", r); err != nil {
			return nil, false, err
		}
	}
	return merged(compute, graphics), true, nil
}

// merged joins the lists: a process with both sorts of context is in both, with the same figure.
func merged(lists ...[]nv.ProcessInfo) []Process {
	var all []Process
	at := map[uint32]int{}
	for _, list := range lists {
		for _, p := range list {
			if _, seen := at[p.Pid]; seen {
				continue
			}
			at[p.Pid] = len(all)
			all = append(all, process(p))
		}
	}
	return all
}

// process converts one entry: NVML_VALUE_NOT_AVAILABLE, and what cannot be a size, is absent.
func process(p nv.ProcessInfo) Process {
	if p.UsedGpuMemory > mostBytes {
		return Process{PID: int(p.Pid)}
	}
	return Process{PID: int(p.Pid), Bytes: int64(p.UsedGpuMemory), Known: true}
}
