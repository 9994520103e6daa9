//go:build linux && cgo

package cpu

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.Program = (*program)(nil)

// program is the host form of a module.
type program struct {
	dev *Device

	mu      sync.Mutex
	handles map[string]uint64
	closed  bool
}

// Load makes the module's host kernels callable.
func (d *Device) Load(m gpu.Module) (gpu.Program, error) {
	if d.closed.Load() {
		return nil, errClosed
	}
	if len(m.Host) == 0 {
		return nil, fmt.Errorf("cpu device: the module has no kernels for the host")
	}
	for name, fn := range m.Host {
		if fn == nil {
			return nil, fmt.Errorf("cpu device: kernel %q has no function", name)
		}
	}
	p := &program{dev: d, handles: make(map[string]uint64, len(m.Host))}
	for name, fn := range m.Host {
		p.handles[name] = d.table.addKernel(kernel{name, uintptr(fn)})
	}
	d.live.Programs.Add(1)
	return p, nil
}

// Kernel looks a kernel up. The error names those that there are.
func (p *program) Kernel(name string) (gpu.Kernel, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h, ok := p.handles[name]; ok && !p.closed {
		return gpu.Kernel{Name: name, Handle: h}, nil
	}
	var names []string
	for n := range p.handles {
		names = append(names, n)
	}
	slices.Sort(names)
	return gpu.Kernel{}, fmt.Errorf("cpu device: no kernel %q in the module; it has %s", name, strings.Join(names, ", "))
}

// Close makes the kernels unknown. Launches that have not run yet fail.
func (p *program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	for _, h := range p.handles {
		p.dev.table.removeKernel(h)
	}
	p.dev.live.Programs.Add(-1)
	return nil
}
