//go:build cuda && linux

package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.Program = (*program)(nil)

// program is a loaded module.
type program struct {
	dev    *Device
	module cu.Module
	closed atomic.Bool
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
	words := &cu.JITErrorLogBuffer{Buffer: make([]byte, 8<<10)}
	err := d.do("cuModuleLoadDataEx", func() (err error) {
		p.module, err = cu.LoadDataEx(m.PTX, words)
		return err
	})
	runtime.KeepAlive(words) // C saw its address as a number
	if err != nil {
		text, _, _ := bytes.Cut(words.Buffer, []byte{0})
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(text))
	}
	d.live.Programs.Add(1)
	return p, nil
}

// Kernel looks a kernel up.
func (p *program) Kernel(name string) (gpu.Kernel, error) {
	var f cu.Function
	err := p.dev.do("cuModuleGetFunction", func() (err error) {
		f, err = p.module.Function(name)
		return err
	})
	if err != nil {
		return gpu.Kernel{}, fmt.Errorf("kernel %q: %w", name, err)
	}
	return gpu.Kernel{Name: name, Handle: uint64(unwrap(f))}, nil
}

// Close unloads the module. No launch of its kernels may be pending.
func (p *program) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	if err := p.dev.lost(); err != nil {
		return err
	}
	if err := p.dev.do("cuModuleUnload", p.module.Unload); err != nil {
		return err
	}
	p.dev.live.Programs.Add(-1)
	return p.dev.gone()
}
