package survey

import (
	"fmt"

	"golang.org/x/sys/windows"

	"github.com/pinring/pinring/budget/nvml"
)

// systemVersion is the system with its build, which decides the version of WDDM.
func systemVersion() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("%s %d.%d.%d", platform(), v.MajorVersion, v.MinorVersion, v.BuildNumber)
}

// driverVersion asks NVML, "" without it.
func driverVersion() string {
	m, err := nvml.Open()
	if err != nil {
		return ""
	}
	defer m.Close()
	v, _ := m.DriverVersion()
	return v
}

func windowsBuild() int { return int(windows.RtlGetVersion().BuildNumber) }
