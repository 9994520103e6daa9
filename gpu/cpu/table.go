//go:build linux && cgo

package cpu

import (
	"sync"
)

// table finds events and kernels by the handles that commands carry. A handle is never used
// twice, so that a stale one is an error and not somebody else's event.
type table struct {
	mu      *sync.RWMutex
	last    uint64
	events  map[uint64]*event
	kernels map[uint64]kernel
}

// kernel is one C function.
type kernel struct {
	name string
	fn   uintptr
}

func newTable() table {
	return table{mu: &sync.RWMutex{}, events: map[uint64]*event{}, kernels: map[uint64]kernel{}}
}

func (t *table) addEvent(e *event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	e.handle = t.last
	t.events[e.handle] = e
}

func (t *table) addKernel(k kernel) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.kernels[t.last] = k
	return t.last
}

func (t *table) event(handle uint64) *event {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.events[handle]
}

func (t *table) kernel(handle uint64) (kernel, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	k, ok := t.kernels[handle]
	return k, ok
}

func (t *table) removeEvent(handle uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.events, handle)
}

func (t *table) removeKernel(handle uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.kernels, handle)
}
