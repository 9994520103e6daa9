package host

import (
	"fmt"
	"syscall"
	"unsafe"

	"github.com/pinring/pinring/budget"
)

var globalMemoryStatusEx = syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// memoryStatusEx is MEMORYSTATUSEX of sysinfoapi.h.
type memoryStatusEx struct {
	length               uint32
	memoryLoad           uint32
	totalPhys            uint64
	availPhys            uint64
	totalPageFile        uint64
	availPageFile        uint64
	totalVirtual         uint64
	availVirtual         uint64
	availExtendedVirtual uint64
}

func memoryStatus() (total, available int64, err error) {
	s := memoryStatusEx{length: uint32(unsafe.Sizeof(memoryStatusEx{}))}
	if err := globalMemoryStatusEx.Find(); err != nil {
		return 0, 0, err
	}
	// Not Call, which would move s to the heap at each reading.
	if r, _, err := syscall.SyscallN(globalMemoryStatusEx.Addr(), uintptr(unsafe.Pointer(&s))); r == 0 {
		return 0, 0, fmt.Errorf("GlobalMemoryStatusEx: %w", err)
	}
	return int64(s.totalPhys), int64(s.availPhys), nil
}

// WindowsMeter measures host RAM through GlobalMemoryStatusEx.
type WindowsMeter struct{ budget.Meter }

// New makes a meter of this machine. There is nothing to set on Windows.
func New(Options) (*WindowsMeter, error) {
	m := budget.MeterFunc("GlobalMemoryStatusEx", budget.HostRAM, "Task Manager Memory in use", func() (int64, int64, error) {
		total, available, err := memoryStatus()
		return total - available, total, err
	})
	return &WindowsMeter{m}, nil
}

// Close does nothing.
func (*WindowsMeter) Close() {}

// Limits are the host's limits for [budget.Cap], as they are now.
func (*WindowsMeter) Limits() (budget.HostLimits, error) {
	_, available, err := memoryStatus()
	return budget.HostLimits{Available: max(available, 1)}, err
}
