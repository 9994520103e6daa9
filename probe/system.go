package probe

import (
	"context"
	"io/fs"

	"github.com/pinring/pinring/budget"
)

// System is a machine as [Examine] sees it: everything it asks for goes through here, so that a test
// can play any machine. Functions may block; each check has a deadline. Those that are nil are not
// asked.
type System struct {
	OS      string // as runtime.GOOS
	Release string // kernel, or Windows' build, for people
	Build   int    // Windows' build number; 0 elsewhere
	Cores   int
	// Files is the root of a Linux system, read only; nil elsewhere.
	Files fs.FS
	// Env looks a variable of the environment up, as os.LookupEnv.
	Env func(name string) (string, bool)
	// CUDA opens the driver's library and counts the devices; the error has the loader's or the
	// driver's own words.
	CUDA func() (devices int, err error)
	// Driver asks the management library; the error has the loader's or the library's own words.
	Driver func() (*Driver, error)
	// Lacks is why this program can use no card, whatever the system has; nil: it can.
	Lacks error
	// Library tries to open another library of the driver and returns the loader's words.
	Library func(name string) error
	// Host is what the host lets a program have.
	Host func() (budget.HostLimits, error)
	// Quota is what processes of this user share of pinned memory.
	Quota func() (Quota, error)
	// FFmpeg is what the program was built with; nil for a program without it.
	FFmpeg func() (versions []string, encoders map[string]bool)
	// Tool runs a program and returns the first line that it prints.
	Tool func(ctx context.Context, name string, args ...string) (string, error)
}

// Driver is what the management library tells.
type Driver struct {
	Version string // "580.159.04"
	CUDA    int    // newest version that the driver supports, 13000
	Cards   []Card
}

// Card is one card. Sizes are bytes.
type Card struct {
	Name, PCI             string
	Total, Used, Reserved int64
	Model                 budget.DriverModel
	// Generation and Width are the PCIe link's; 0 where not known.
	Generation, MaxGeneration, Width, MaxWidth int
	Others                                     []Other // other processes
	OthersKnown                                bool    // false: the driver does not say who there is
}

// Other is a process on a card; Bytes is -1 where the driver does not tell.
type Other struct {
	PID   int
	Bytes int64
}

// Quota is the pinned memory that processes share.
type Quota struct {
	Granted   int64
	Processes int
}
