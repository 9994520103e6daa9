package trial

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/internal/stopwatch"
)

// Stage is host memory that copies as a device would: the stage on which an emulated card can play
// where there is neither a GPU nor the CPU device, which needs cgo. It has no kernels, so it runs
// frames with an empty filter chain only. All work is done when Submit returns.
func Stage() gpu.Device { return &stageDevice{} }

var errNoKernels = errors.New("filters need a GPU here: this program has no kernels for the processor")

type stageDevice struct{ alive atomic.Int64 }

func (*stageDevice) Info() gpu.Info {
	return gpu.Info{Kind: gpu.CPU, Name: "host memory", MultiProcessors: 1, Unified: true,
		Limits: gpu.Limits{HostAlign: stageAlign, DeviceAlign: stageAlign, MaxGridRows: 1 << 30}}
}

func (*stageDevice) MemInfo() (gpu.MemInfo, error)        { return gpu.MemInfo{}, gpu.ErrUnsupported }
func (*stageDevice) Load(gpu.Module) (gpu.Program, error) { return stageProgram{}, nil }
func (*stageDevice) NewStream() (gpu.Stream, error)       { return stageStream{}, nil }
func (*stageDevice) NewEvent(bool) (gpu.Event, error)     { return &stageEvent{}, nil }

// Close reports buffers that are alive.
func (d *stageDevice) Close() error {
	if n := d.alive.Load(); n != 0 {
		return fmt.Errorf("host memory: closed while %d buffers are alive", n)
	}
	return nil
}

func (d *stageDevice) Alloc(bytes int) (gpu.Buffer, error) { return d.AllocHost(bytes, gpu.Pageable) }

const stageAlign = 4096

func (d *stageDevice) AllocHost(bytes int, kind gpu.HostKind) (gpu.HostBuffer, error) {
	if bytes <= 0 || int(kind) >= gpu.NumHostKinds {
		return nil, fmt.Errorf("host memory: %d bytes of kind %v: %w", bytes, kind, gpu.ErrUnsupported)
	}
	d.alive.Add(1)
	memory := make([]byte, bytes+stageAlign)
	at := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % stageAlign
	return &stageBuffer{dev: d, kind: kind, memory: memory[at : int(at)+bytes : int(at)+bytes]}, nil
}

// stageProgram is empty.
type stageProgram struct{}

func (stageProgram) Kernel(string) (gpu.Kernel, error) { return gpu.Kernel{}, errNoKernels }
func (stageProgram) Close() error                      { return nil }

// stageBuffer keeps its memory, which Go does not move, for as long as somebody keeps the buffer.
type stageBuffer struct {
	dev    *stageDevice
	kind   gpu.HostKind
	memory []byte
	freed  atomic.Bool
}

func (b *stageBuffer) Ptr() unsafe.Pointer  { return unsafe.Pointer(unsafe.SliceData(b.memory)) }
func (b *stageBuffer) Addr() gpu.Addr       { return gpu.Addr(uintptr(b.Ptr())) }
func (b *stageBuffer) DeviceAddr() gpu.Addr { return b.Addr() }
func (b *stageBuffer) Bytes() int           { return len(b.memory) }
func (b *stageBuffer) Kind() gpu.HostKind   { return b.kind }

func (b *stageBuffer) Free() error {
	if !b.freed.Swap(true) {
		b.dev.alive.Add(-1)
	}
	return nil
}

// stageEvent is when it was recorded, 0 for never.
type stageEvent struct{ at atomic.Int64 }

var stageBegin = stopwatch.Now()

func (e *stageEvent) Handle() uint64      { return uint64(uintptr(unsafe.Pointer(e))) }
func (e *stageEvent) Done() (bool, error) { return true, nil }
func (e *stageEvent) Synchronize() error  { return nil }
func (e *stageEvent) Close() error        { return nil }

func (e *stageEvent) Since(earlier gpu.Event) (time.Duration, error) {
	before, ok := earlier.(*stageEvent)
	if !ok || before.at.Load() == 0 || e.at.Load() == 0 {
		return 0, errors.New("host memory: an event that was not recorded has no time")
	}
	return time.Duration(e.at.Load() - before.at.Load()), nil
}

type stageStream struct{}

func (stageStream) Synchronize() error { return nil }
func (stageStream) Close() error       { return nil }

// Submit does the commands.
func (stageStream) Submit(c *gpu.Commands) error {
	events := c.Events
	for i := range c.List {
		if err := c.Validate(i, 1<<30); err != nil {
			return fmt.Errorf("host memory: command %d: %w", i, err)
		}
		cmd := &c.List[i]
		switch cmd.Op {
		case gpu.OpLaunch:
			return fmt.Errorf("command %d: %w", i, errNoKernels)
		case gpu.OpWait:
			events = events[1:]
		case gpu.OpRecord:
			events[0].(*stageEvent).at.Store(int64(stopwatch.Since(stageBegin)) + 1)
			events = events[1:]
		case gpu.OpFill:
			fill(cmd)
		default:
			copyRows(cmd)
		}
	}
	return nil
}

// bytesAt is the memory at an address that a buffer of this device has.
func bytesAt(a gpu.Addr, n uint64) []byte {
	p := uintptr(a)
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&p)), n)
}

func fill(c *gpu.Command) {
	if c.Width == 0 {
		return
	}
	memory := bytesAt(c.Dst, c.Width)
	for i := range memory {
		memory[i] = byte(c.Value)
	}
}

func copyRows(c *gpu.Command) {
	if c.Width == 0 {
		return
	}
	for y := range c.Rows {
		copy(bytesAt(c.Dst+gpu.Addr(y*c.DstPitch), c.Width), bytesAt(c.Src+gpu.Addr(y*c.SrcPitch), c.Width))
	}
}
