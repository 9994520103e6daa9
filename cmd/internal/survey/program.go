package survey

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/report"
)

// Program is what a program supplies to the commands. All but Ballast, Libraries and FFmpeg must be set.
type Program struct {
	Name    string // as the user types it
	Version string
	Out     io.Writer // results
	// Say writes a line of talk for the user, on standard error; Quiet ends talk.
	Say   func(format string, args ...any)
	Quiet func()
	// Device opens the device called want: auto, cpu, cuda or cuda:N. The second result is a line
	// for the user: which device, and why it. Errors are as package cli classifies them.
	Device func(want string) (gpu.Device, string, error)
	// Ballast makes dev, a CUDA device, an emulated card that is filled for real. The card owns dev
	// from then on. nil: the program cannot.
	Ballast func(dev gpu.Device, emulate string, force bool) (gpu.Device, error)
	// Libraries are more facts that figures depend on, such as FFmpeg's versions; nil: none.
	Libraries func() []report.Fact
	// FFmpeg tells what the program was built with, and which encoders that has; nil without FFmpeg.
	FFmpeg func() (versions []string, encoders map[string]bool)
}

// Commands are probe, meminfo, watch and doctor for the program p.
func Commands(p *Program) []*cobra.Command {
	return []*cobra.Command{p.probeCommand(), p.meminfoCommand(), p.watchCommand(), p.doctorCommand()}
}
