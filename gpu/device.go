package gpu

import (
	"time"
	"unsafe"
)

// Addr is an address as the device's commands use it.
type Addr uint64

// Device is one processor with its memory. All methods may be called from any goroutine and any
// thread. Buffers, streams, events and programs belong to the device that made them and must be
// freed before Close.
type Device interface {
	Info() Info
	// MemInfo asks the driver for the device's free and total memory (nvidia-smi's Memory-Usage
	// is total minus free, plus what the driver keeps back). It may take tens of microseconds.
	MemInfo() (MemInfo, error)
	// AllocHost allocates host memory of bytes > 0, aligned to 4096 bytes. It fails with an
	// *OutOfMemoryError, or ErrUnsupported when the device has no such kind.
	AllocHost(bytes int, kind HostKind) (HostBuffer, error)
	// Alloc allocates device memory of bytes > 0, aligned to 256 bytes or better. It fails with an
	// *OutOfMemoryError.
	Alloc(bytes int) (Buffer, error)
	NewStream() (Stream, error)
	// NewEvent makes an event; timing says whether Since may be asked of it (costs a little).
	NewEvent(timing bool) (Event, error)
	// Load makes a module's kernels callable.
	Load(Module) (Program, error)
	// Close releases the device. It reports buffers, streams, events or programs that are still
	// alive; these can be freed afterwards.
	Close() error
}

// HostLocker is a Device that can page-lock memory that is somebody else's.
type HostLocker interface {
	// LockHost page-locks bytes from ptr on, whole pages, until unlock. The memory must stay until then. Copies
	// address it by its address on the host. It fails with an *OutOfMemoryError.
	LockHost(ptr unsafe.Pointer, bytes int) (unlock func() error, err error)
}

// Kind says what sort of device it is, as in JSON.
type Kind string

// The kinds of device.
const (
	CPU  Kind = "cpu"
	CUDA Kind = "cuda"
)

// Info describes a device. It does not change while the device is open.
type Info struct {
	Kind Kind
	Name string // "NVIDIA H200", or the processor's name
	// Index is the device's number in its API's order (CUDA's, not NVML's); 0 for the CPU.
	Index int
	UUID  string // "GPU-…", empty when unknown; matches NVML's
	PCI   string // "0000:3b:00.0", empty when unknown
	// LUID is what Windows knows the device by until the next boot, as cuDeviceGetLuid gives it;
	// zero when unknown, and on other systems.
	LUID [8]byte
	// DriverAPI is the newest CUDA version that the driver supports, e.g. 13000; 0 on the CPU.
	DriverAPI         int
	ComputeMajor      int
	ComputeMinor      int
	MultiProcessors   int  // of the GPU; logical cores that a CPU device uses
	AsyncEngines      int  // copy engines
	Unified           bool // host memory is device memory: no copies
	ConcurrentManaged bool // managed memory may be touched by the host while the device works
	Limits            Limits
	DriverModelIsWDDM bool // Windows display driver model
}

// Limits are published so that callers can plan; they are not errors to be met by trying.
type Limits struct {
	HostAlign   int // alignment of AllocHost's memory
	DeviceAlign int // alignment of Alloc's memory
	MaxGridRows int // largest Rows of a launch
}

// MemInfo is the device's memory in bytes.
type MemInfo struct{ Free, Total int64 }

// HostKind is a way to get host memory that a device can copy from and to.
type HostKind uint8

// The kinds of host memory. On a Unified device all are ordinary memory.
const (
	Pinned        HostKind = iota // page-locked by the driver (cuMemHostAlloc, portable)
	Pageable                      // plain heap memory; copies from it are not asynchronous
	Registered                    // heap memory, page-locked afterwards (cuMemHostRegister)
	Mapped                        // pinned, and readable by kernels in place
	Managed                       // migrates between host and device (cuMemAllocManaged)
	WriteCombined                 // pinned, uncached on the host: fast to write in order, very slow to read
)

// NumHostKinds is the number of kinds of host memory.
const NumHostKinds = int(WriteCombined) + 1

var hostKindNames = [...]string{"pinned", "pageable", "registered", "mapped", "managed", "write-combined"}

func (k HostKind) String() string {
	if int(k) < len(hostKindNames) {
		return hostKindNames[k]
	}
	return "unknown"
}

// Locked reports whether memory of this kind is page-locked.
func (k HostKind) Locked() bool { return k != Pageable && k != Managed }

// Buffer is memory that the device's commands can use.
type Buffer interface {
	Addr() Addr
	Bytes() int
	// Free returns the memory. It is idempotent. No command that uses it may be pending.
	Free() error
}

// HostBuffer is host memory that the device's commands can use.
type HostBuffer interface {
	Buffer
	// Ptr is the address for the host. The memory is not of the Go heap, is zero when new only
	// where the kind gives that for free, and is valid until Free.
	Ptr() unsafe.Pointer
	Kind() HostKind
	// DeviceAddr is where kernels see the memory: valid for Mapped and Managed memory and on
	// Unified devices, 0 otherwise. Copies use Addr.
	DeviceAddr() Addr
}

// Stream is an ordered queue of commands.
type Stream interface {
	// Submit hands the recorded commands to the device in order and returns without waiting for
	// them. It leaves Go once whatever the number of commands, where the device is built with cgo. A wait is
	// for the event's last recording at the time of Submit. The stream borrows the list until its last command has completed. An error names the first
	// command that was refused; those before it are on their way. One goroutine at a time.
	Submit(*Commands) error
	// Synchronize waits until everything submitted has completed, and reports what failed.
	Synchronize() error
	// Close waits for what has been submitted. It is idempotent.
	Close() error
}

// Event is a mark in a stream. It is "done" when it has never been recorded.
type Event interface {
	// Handle identifies the event to the device's commands.
	Handle() uint64
	// Done asks, without waiting, whether the last recording has completed.
	Done() (bool, error)
	// Synchronize waits for the last recording without burning a core. It reports errors of the
	// work before it, too. Any goroutine; not concurrently with a recording of the same event.
	Synchronize() error
	// Since is the time from the completion of earlier to the completion of this event, both made
	// with timing and both done.
	Since(earlier Event) (time.Duration, error)
	Close() error
}

// Module is a set of kernels in the forms that the devices need. Package kernels makes it.
type Module struct {
	// PTX is the text for NVIDIA devices, compiled by the driver when loaded.
	PTX string
	// Host holds the same kernels for the CPU device, by name: C functions
	// void f(const uint64_t *args, int row0, int row1) that compute the rows [row0,row1).
	Host map[string]unsafe.Pointer
}

// Program is a loaded module.
type Program interface {
	// Kernel looks a kernel up by name.
	Kernel(name string) (Kernel, error)
	Close() error
}

// Kernel identifies a loaded kernel to the commands of the device that loaded it.
type Kernel struct {
	Name   string
	Handle uint64
}
