package open

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pinring/pinring/gpu"
)

// Options of Device.
type Options struct {
	// Cores is the number of cores that a CPU device uses, 0 for all.
	Cores int
	// Ahead gives a CUDA device whose context is still being made: [Ready] waits for it.
	Ahead bool
}

// SyntaxError says that a device's name is not one: a mistake of usage.
type SyntaxError struct{ Want string }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("device %q: want auto, cpu, cuda or cuda:N", e.Want)
}

// UnavailableError says that the device that was asked for cannot be had.
type UnavailableError struct {
	Want string
	Err  error
}

// Error is one line: the reasons of several devices have a semicolon between them.
func (e *UnavailableError) Error() string {
	return fmt.Sprintf("device %s: %s", e.Want, strings.ReplaceAll(e.Err.Error(), "\n", "; "))
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// backends are the devices that this program contains, so that the choice can be tested.
type backends struct {
	cpu  func(Options) (gpu.Device, error)
	cuda func(index int, o Options) (gpu.Device, string, error) // the string is the driver's version
}

// Device opens the device called want: "auto" is the first CUDA device if it can be opened, and
// the CPU otherwise; "cpu", "cuda:N" and "cuda" (the same as cuda:0) are that device or an
// *UnavailableError. The second result is one line for the user: which device, and why it.
func Device(want string, o Options) (gpu.Device, string, error) {
	return choose(want, o, backends{openCPU, openCUDA})
}

// DriverThere reports whether the driver's library can be loaded, which takes no time. Whether there is a card is not
// said by that.
func DriverThere() bool { return driverThere() }

// Ready waits for what a device that was opened ahead still lacks. An error, an *UnavailableError, says
// that it cannot be had; the device is then only good to be closed.
func Ready(want string, d gpu.Device) error {
	r, ok := d.(interface{ Ready() error })
	if !ok {
		return nil
	}
	if err := r.Ready(); err != nil {
		return &UnavailableError{want, err}
	}
	return nil
}

// Leave closes a device at the end of the process, where what the system takes back by itself need not be given
// back.
func Leave(d gpu.Device) error {
	if l, ok := d.(interface{ Leave() error }); ok {
		return l.Leave()
	}
	return d.Close()
}

func choose(want string, o Options, b backends) (gpu.Device, string, error) {
	switch name, index, ok := parse(want); {
	case !ok:
		return nil, "", &SyntaxError{want}
	case name == "cpu":
		return onCPU(want, o, b, nil)
	case name == "cuda":
		return onCUDA(want, index, o, b)
	default:
		d, why, err := onCUDA("cuda:0", 0, o, b)
		if err == nil {
			return d, why, nil
		}
		return onCPU(want, o, b, err.(*UnavailableError).Err)
	}
}

// parse splits "cuda:N".
func parse(want string) (name string, index int, ok bool) {
	switch want {
	case "auto", "cpu", "cuda":
		return want, 0, true
	}
	number, found := strings.CutPrefix(want, "cuda:")
	index, err := strconv.Atoi(number)
	return "cuda", index, found && err == nil && index >= 0 && number[0] != '+'
}

// onCPU opens the CPU; noCUDA is why it is not a GPU, nil when the CPU was asked for.
func onCPU(want string, o Options, b backends, noCUDA error) (gpu.Device, string, error) {
	d, err := b.cpu(o)
	if err != nil {
		return nil, "", &UnavailableError{want, errors.Join(noCUDA, err)}
	}
	cores := "1 core"
	if n := d.Info().MultiProcessors; n != 1 {
		cores = fmt.Sprintf("%d cores", n)
	}
	why := fmt.Sprintf("device: cpu (%s)", cores)
	if noCUDA != nil {
		why += ": " + oneLine(noCUDA)
	}
	return d, why, nil
}

func onCUDA(want string, index int, o Options, b backends) (gpu.Device, string, error) {
	d, driver, err := b.cuda(index, o)
	if err != nil {
		return nil, "", &UnavailableError{want, err}
	}
	i := d.Info()
	versions := fmt.Sprintf("CUDA %d.%d", i.DriverAPI/1000, i.DriverAPI%1000/10)
	if driver != "" {
		versions = "driver " + driver + ", " + versions
	}
	return d, fmt.Sprintf("device: cuda:%d %s (%s)", i.Index, i.Name, versions), nil
}

// oneLine keeps a reason on the line that it explains.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
