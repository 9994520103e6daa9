package stopwatch

import (
	"math/bits"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32  = windows.NewLazySystemDLL("kernel32.dll")
	counter   = kernel32.NewProc("QueryPerformanceCounter")
	frequency = sync.OnceValue(func() uint64 { return ask(kernel32.NewProc("QueryPerformanceFrequency")) })

	// cells are numbers on the heap for the system to write to, reused.
	cells = sync.Pool{New: func() any { return new(uint64) }}
)

// ask calls a function that writes a number; it fails on no Windows that Go runs on.
func ask(proc *windows.LazyProc) uint64 {
	cell := cells.Get().(*uint64)
	defer cells.Put(cell)
	syscall.SyscallN(proc.Addr(), uintptr(unsafe.Pointer(cell)))
	return *cell
}

// Now is the time since some moment in the past, the same one for this process. It may be called concurrently.
func Now() time.Duration {
	hi, lo := bits.Mul64(ask(counter), uint64(time.Second))
	ns, _ := bits.Div64(hi, lo, frequency())
	return time.Duration(ns)
}
