package survey

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
	"github.com/pinring/pinring/report"
)

// Program is what a program supplies to the commands. All but Ballast must be set.
type Program struct {
	Name    string // as the user types it
	Version string
	Out     io.Writer // results
	// Say writes a line of talk for the user, on standard error; Quiet ends talk.
	Say   func(format string, args ...any)
	Quiet func()
	// Device opens the device called want: auto, cpu, cuda or cuda:N. The second result is a line
	// for the user: which device, and why it.
	Device func(want string) (gpu.Device, string, error)
	// Meters opens what sees the memory of dev, and of the host. With dev nil it opens what sees the
	// first card without a context on it, which would take memory itself.
	Meters func(dev gpu.Device) Meters
	// Ballast makes dev, a CUDA device, an emulated card that is filled for real. The card owns dev
	// from then on. nil: the program cannot.
	Ballast func(dev gpu.Device, emulate string, force bool) (gpu.Device, error)
	// System is the machine as doctor sees it.
	System func() probe.System
	// Libraries are more facts of the environment that figures depend on, such as FFmpeg's versions.
	Libraries func() []report.Fact
}

// Meters are opened meters.
type Meters struct {
	List []budget.Meter
	// Missing says, one line each, which meters cannot be had, and why.
	Missing []string
	// Model is who manages the device's memory.
	Model budget.DriverModel
	// Facts name versions: driver, CUDA, driver model.
	Facts []report.Fact
	// Close gives the meters back; nil when there is nothing to give.
	Close func() error
}

// Commands are probe, meminfo, watch and doctor for the program p.
func Commands(p *Program) []*cobra.Command {
	return []*cobra.Command{p.probeCommand(), p.meminfoCommand(), p.watchCommand(), p.doctorCommand()}
}
