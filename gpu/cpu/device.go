//go:build linux && cgo

package cpu

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/live"
)

var _ gpu.Device = (*Device)(nil)

var errClosed = errors.New("cpu device: used after Close")

// Options of Open.
type Options struct {
	// Cores is the number of cores to use; 0 means all that the process may use.
	Cores int
}

// Device is the host as a gpu.Device. It is safe for concurrent use.
type Device struct {
	info   gpu.Info
	crew   *crew
	table  table
	closed atomic.Bool
	live   live.Counts

	mu      sync.Mutex
	streams map[*stream]struct{}
}

// Open makes a device. Close it after everything that it made.
func Open(o Options) (*Device, error) {
	if o.Cores < 0 {
		return nil, fmt.Errorf("cpu device: %d cores", o.Cores)
	}
	if o.Cores == 0 {
		o.Cores = runtime.GOMAXPROCS(0)
	}
	page := os.Getpagesize()
	return &Device{
		info: gpu.Info{
			Kind: gpu.CPU, Name: processorName(), MultiProcessors: o.Cores, Unified: true, ConcurrentManaged: true,
			Limits: gpu.Limits{HostAlign: page, DeviceAlign: page, MaxGridRows: math.MaxInt32},
		},
		crew:    newCrew(o.Cores),
		table:   newTable(),
		streams: map[*stream]struct{}{},
	}, nil
}

// Info describes the device.
func (d *Device) Info() gpu.Info { return d.info }

// MemInfo is the machine's memory: what is available without swapping, and all of it.
func (d *Device) MemInfo() (gpu.MemInfo, error) { return memInfo() }

// Close waits for all submitted work and ends the device's goroutines. Memory that was not freed
// stays, since something may still refer to it; it is reported, with all else that is alive.
func (d *Device) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	d.mu.Lock()
	var open []*stream
	for s := range d.streams {
		open = append(open, s)
	}
	d.mu.Unlock()
	for _, s := range open {
		s.stop()
	}
	d.crew.stop()
	return d.live.Report("cpu device")
}
