//go:build windows || linux

package nvcuda

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/internal/cudaapi"
)

var _ gpu.Program = (*program)(nil)

// program is a loaded module.
type program struct {
	dev    *Device
	module uintptr
	closed atomic.Bool
}

// compilation is what the driver reads and writes while it compiles.
type compilation struct {
	options [2]uint32
	values  [2]uintptr
	words   [8 << 10]byte // the compiler's
}

// Load has the driver compile the module's PTX. An error has the compiler's words.
func (d *Device) Load(m gpu.Module) (gpu.Program, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	if m.PTX == "" {
		return nil, errors.New("cuda device: the module has no PTX")
	}
	p := &program{dev: d}
	c := &compilation{options: [2]uint32{cudaapi.CU_JIT_ERROR_LOG_BUFFER, cudaapi.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES}}
	c.values = [2]uintptr{uintptr(unsafe.Pointer(&c.words)), uintptr(len(c.words))}
	ptx := append([]byte(m.PTX), 0)
	code := d.call(cudaapi.CuModuleLoadDataEx, uintptr(unsafe.Pointer(&p.module)), uintptr(unsafe.Pointer(&ptx[0])),
		uintptr(len(c.options)), uintptr(unsafe.Pointer(&c.options)), uintptr(unsafe.Pointer(&c.values)))
	runtime.KeepAlive(c) // the driver saw the address of its words as a number
	if err := d.fail("cuModuleLoadDataEx", code); err != nil {
		text, _, _ := bytes.Cut(c.words[:], []byte{0})
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(text))
	}
	d.live.Programs.Add(1)
	return p, nil
}

// Kernel looks a kernel up.
func (p *program) Kernel(name string) (gpu.Kernel, error) {
	var f uintptr
	symbol := append([]byte(name), 0)
	code := p.dev.call(cudaapi.CuModuleGetFunction, uintptr(unsafe.Pointer(&f)), p.module, uintptr(unsafe.Pointer(&symbol[0])))
	if err := p.dev.fail("cuModuleGetFunction", code); err != nil {
		return gpu.Kernel{}, fmt.Errorf("kernel %q: %w", name, err)
	}
	return gpu.Kernel{Name: name, Handle: uint64(f)}, nil
}

// Close unloads the module. No launch of its kernels may be pending.
func (p *program) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	if err := p.dev.lost(); err != nil {
		return err
	}
	if err := p.dev.fail("cuModuleUnload", p.dev.call(cudaapi.CuModuleUnload, p.module)); err != nil {
		return err
	}
	p.dev.live.Programs.Add(-1)
	return p.dev.gone()
}
