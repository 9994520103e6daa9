//go:build !linux && !windows

package survey

import (
	"fmt"
	"io/fs"
	"runtime"

	"github.com/pinring/pinring/probe"
)

func systemVersion() string { return platform() }

func driverVersion() string { return "" }

func windowsBuild() int { return 0 }

var errForeign = fmt.Errorf("NVIDIA's driver is not looked for on %s: %w", runtime.GOOS, fs.ErrNotExist)

func countDevices() (int, error)        { return 0, errForeign }
func askDriver() (*probe.Driver, error) { return nil, errForeign }
func openLibrary(string) error          { return errForeign }
