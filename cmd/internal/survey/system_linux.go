package survey

import (
	"os"
	"strings"

	"github.com/pinring/pinring/budget/nvml"
)

// systemVersion is the system with its kernel.
func systemVersion() string {
	b, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return platform()
	}
	return platform() + " " + strings.TrimSpace(string(b))
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

func windowsBuild() int { return 0 }
