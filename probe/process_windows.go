package probe

import (
	"errors"
	"fmt"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// memoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h on 64 bits.
type memoryCounters struct {
	size, faults                             uint32
	peakWorkingSet, workingSet               uintptr
	peakPaged, paged, peakNonPaged, nonPaged uintptr
	pagefile, peakPagefile                   uintptr
}

const stillActive = 259 // STILL_ACTIVE of minwinbase.h

// ReadProcess asks for a process's working set. What of it is locked, Windows does not tell.
func ReadProcess(pid int) (Usage, error) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return Usage{}, ErrNoProcess
	}
	if err != nil {
		return Usage{}, fmt.Errorf("OpenProcess: %w", err)
	}
	defer windows.CloseHandle(h)
	var code uint32
	if err := windows.GetExitCodeProcess(h, &code); err == nil && code != stillActive {
		return Usage{}, ErrNoProcess
	}
	c := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	if r, _, err := getProcessMemoryInfo.Call(uintptr(h), uintptr(unsafe.Pointer(&c)), uintptr(c.size)); r == 0 {
		return Usage{}, fmt.Errorf("GetProcessMemoryInfo: %w", err)
	}
	return Usage{Resident: int64(c.workingSet), Locked: -1, Pinned: -1}, nil
}

// ProcessName is the name of a process's program.
func ProcessName(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(h)
	var name [windows.MAX_PATH]uint16
	n := uint32(len(name))
	if windows.QueryFullProcessImageName(h, 0, &name[0], &n) != nil {
		return ""
	}
	return filepath.Base(windows.UTF16ToString(name[:n]))
}
