//go:build cgo && !windows

package kerneltest

/*
#include <stdint.h>
#include <string.h>

static void run_kernel(void *f, const uint64_t *args, int rows)
{
	((void (*)(const uint64_t *, int, int))f)(args, 0, rows);
}
static void copy_bytes(uint64_t dst, uint64_t src, uint64_t n) { memcpy((void *)dst, (void *)src, n); }
static void fill_bytes(uint64_t dst, int value, uint64_t n) { memset((void *)dst, value, n); }
*/
import "C"

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// hostDevice runs everything at once, on the caller's goroutine.
type hostDevice struct{}

// NewHost makes a device that runs host kernels (gpu.Module.Host) within Submit. It has no events.
func NewHost() gpu.Device { return hostDevice{} }

func (hostDevice) Info() gpu.Info {
	return gpu.Info{Kind: gpu.CPU, Name: "kerneltest", Unified: true,
		Limits: gpu.Limits{HostAlign: 256, DeviceAlign: 256, MaxGridRows: 1 << 30}}
}

func (hostDevice) MemInfo() (gpu.MemInfo, error)                           { return gpu.MemInfo{}, gpu.ErrUnsupported }
func (hostDevice) NewEvent(bool) (gpu.Event, error)                        { return nil, gpu.ErrUnsupported }
func (hostDevice) Close() error                                            { return nil }
func (hostDevice) NewStream() (gpu.Stream, error)                          { return hostStream{}, nil }
func (hostDevice) Alloc(n int) (gpu.Buffer, error)                         { return newGuarded(n) }
func (hostDevice) AllocHost(n int, _ gpu.HostKind) (gpu.HostBuffer, error) { return newGuarded(n) }
func (hostDevice) Load(m gpu.Module) (gpu.Program, error)                  { return hostProgram(m.Host), nil }

type hostProgram map[string]unsafe.Pointer

func (p hostProgram) Kernel(name string) (gpu.Kernel, error) {
	f, ok := p[name]
	if !ok {
		return gpu.Kernel{}, fmt.Errorf("no host kernel %q", name)
	}
	return gpu.Kernel{Name: name, Handle: uint64(uintptr(f))}, nil
}

func (hostProgram) Close() error { return nil }

// guarded is memory between two pages that may not be touched; it ends within 255 bytes of the
// second.
type guarded struct {
	all  []byte
	data []byte
}

func newGuarded(n int) (*guarded, error) {
	if n <= 0 {
		return nil, fmt.Errorf("allocation of %d bytes", n)
	}
	page := syscall.Getpagesize()
	size := (n + 255) / 256 * 256
	body := (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, body+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, &gpu.OutOfMemoryError{Call: "mmap", Requested: int64(n), Reason: err.Error()}
	}
	err = errors.Join(syscall.Mprotect(all[:page], syscall.PROT_NONE), syscall.Mprotect(all[page+body:], syscall.PROT_NONE))
	start := page + body - size
	return &guarded{all, all[start : start+n]}, err
}

func (g *guarded) Ptr() unsafe.Pointer  { return unsafe.Pointer(&g.data[0]) }
func (g *guarded) Addr() gpu.Addr       { return gpu.Addr(uintptr(g.Ptr())) }
func (g *guarded) DeviceAddr() gpu.Addr { return g.Addr() }
func (g *guarded) Kind() gpu.HostKind   { return gpu.Pinned }
func (g *guarded) Bytes() int           { return len(g.data) }

func (g *guarded) Free() error {
	if g.all == nil {
		return nil
	}
	all := g.all
	g.all, g.data = nil, nil
	return syscall.Munmap(all)
}

type hostStream struct{}

func (hostStream) Submit(c *gpu.Commands) error {
	for i := range c.List {
		k := &c.List[i]
		switch k.Op {
		case gpu.OpCopyH2D, gpu.OpCopyD2H, gpu.OpCopyD2D:
			for y := range k.Rows {
				C.copy_bytes(C.uint64_t(uint64(k.Dst)+y*k.DstPitch), C.uint64_t(uint64(k.Src)+y*k.SrcPitch), C.uint64_t(k.Width))
			}
		case gpu.OpFill:
			C.fill_bytes(C.uint64_t(k.Dst), C.int(k.Value), C.uint64_t(k.Width))
		case gpu.OpLaunch:
			launch(k.Handle, c.Args[k.FirstArg:][:k.NumArgs], int(k.Rows))
		default:
			return fmt.Errorf("command %d: operation %d: %w", i, k.Op, gpu.ErrUnsupported)
		}
	}
	return nil
}

// launch runs all rows of a kernel in one band.
func launch(handle uint64, args []uint64, rows int) {
	f := *(*unsafe.Pointer)(unsafe.Pointer(&handle)) // an address of code: the collector ignores it
	C.run_kernel(f, (*C.uint64_t)(unsafe.Pointer(&args[0])), C.int(rows))
}

func (hostStream) Synchronize() error { return nil }
func (hostStream) Close() error       { return nil }
