//go:build cuda && linux

package cuda

import (
	"os"
	"regexp"

	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
)

// describe fills in Info.
func (d *Device) describe(index int) error {
	name, err := d.dev.Name()
	if err != nil {
		return deviceError("cuDeviceGetName", codeOf(err))
	}
	d.info = gpu.Info{
		Kind: gpu.CUDA, Name: name, Index: index, PCI: pciBusID(d.dev), DriverAPI: cu.Version(),
		Limits: gpu.Limits{HostAlign: hostAlign, DeviceAlign: 256},
	}
	if id, err := d.dev.UUID(); err == nil {
		d.info.UUID = "GPU-" + id.String()
	}
	var concurrent, managed, gridRows int
	for _, a := range []struct {
		attribute cu.DeviceAttribute
		value     *int
	}{
		{cu.ComputeCapabilityMajor, &d.info.ComputeMajor},
		{cu.ComputeCapabilityMinor, &d.info.ComputeMinor},
		{cu.MultiprocessorCount, &d.info.MultiProcessors},
		{cu.AsyncEngineCount, &d.info.AsyncEngines},
		{cu.ConcurrentManagedAccess, &concurrent},
		{cu.ManagedMemory, &managed},
		{cu.MaxGridDimY, &gridRows},
	} {
		if *a.value, err = d.dev.Attribute(a.attribute); err != nil {
			return deviceError("cuDeviceGetAttribute", codeOf(err))
		}
	}
	d.info.ConcurrentManaged, d.managed = concurrent != 0, managed != 0
	d.info.Limits.MaxGridRows = gridRows * gpu.BlockRows
	return nil
}

// DriverVersion is the version of the kernel driver, "580.159.04", empty when it cannot be read.
func DriverVersion() string {
	text, err := os.ReadFile("/proc/driver/nvidia/version")
	if err != nil {
		return ""
	}
	return driverVersion(string(text))
}

var versionNumber = regexp.MustCompile(`\s(\d{3,}\.\d+(\.\d+)?)\s`)

// driverVersion finds the version in a text such as
// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue …".
func driverVersion(text string) string {
	if m := versionNumber.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
