//go:build !linux && !windows

package survey

import (
	"errors"
	"runtime"

	"github.com/pinring/pinring/probe"
)

func systemVersion() string { return platform() }

func driverVersion() string { return "" }

func windowsBuild() int { return 0 }

var errForeign = errors.New("NVIDIA's driver is not looked for on " + runtime.GOOS)

func countDevices() (int, error)        { return 0, errForeign }
func askDriver() (*probe.Driver, error) { return nil, errForeign }
func openLibrary(string) error          { return errForeign }
