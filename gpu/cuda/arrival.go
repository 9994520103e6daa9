//go:build cuda && linux

package cuda

// #include "driver.h"
import "C"

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/pinring/pinring/gpu"
)

// Note [Arrival]
// ~~~~~~~~~~~~~~
// A context takes a tenth of a second to make (docs/performance.md), in which a program could open its
// input and decode the first pictures. All that it needs for that is to know the device, and memory to
// decode into. The first comes with cuInit. The second must be page-locked in the end, and the driver
// locks nothing without a context; but it can lock memory that exists already. So pinned memory that is
// asked for before the context is there is mapped and touched, and registered on arrival. From then
// on pinned memory is the driver's own again (cuMemHostAlloc).
//
// Whoever needs the context waits for it ([Device.usable]). A context that cannot be had, or early memory that
// cannot be locked, is the error of every such call: nothing works on a device by halves.

// arrival is the coming of a device's context.
type arrival struct {
	over chan struct{} // closed when the context is there, or cannot be had
	err  error         // why it cannot; after over

	mu    sync.Mutex
	done  bool          // over, for who holds the lock
	early []*hostBuffer // to be page-locked on arrival

	room     room
	touching sync.WaitGroup
}

func newArrival() *arrival { return &arrival{over: make(chan struct{})} }

// Ready waits for the context, and says why it cannot be had.
func (d *Device) Ready() error {
	<-d.arrival.over
	return d.arrival.err
}

// enter retains the context.
func (d *Device) enter() {
	context, err := retain(d.dev)
	if d.owned = err == nil; !d.owned {
		err = &gpu.NoContextError{Err: err}
	}
	d.arrive(context, err)
}

// arrive ends the wait.
func (d *Device) arrive(context cu.CUContext, err error) {
	d.context, d.ctx = context, C.uintptr_t(unwrap(context))
	a := d.arrival
	a.mu.Lock()
	defer a.mu.Unlock()
	a.touching.Wait()
	for _, b := range a.early {
		if err == nil {
			err = b.lock()
		}
	}
	a.room.close()
	a.err, a.done, a.early = err, true, nil
	close(a.over)
}

// allocEarly gives a buffer that is registered on arrival, none when the context is there or the room is
// used up.
func (d *Device) allocEarly(bytes int) (*hostBuffer, error) {
	a := d.arrival
	select {
	case <-a.over:
		return nil, nil
	default:
	}
	if err := checkBytes("cuMemHostRegister", bytes); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.done {
		return nil, nil
	}
	at := a.room.cut(hostRound(bytes))
	if at == nil {
		return nil, nil
	}
	b := &hostBuffer{dev: d, kind: gpu.Pinned, bytes: bytes, base: at, ptr: at, size: hostRound(bytes), early: true}
	a.early = append(a.early, b)
	a.touching.Go(b.touch)
	return b, nil
}

// touch has the system find the buffer's pages, so that page-locking them takes little. One page after another, since
// that holds up neither the context, which maps much while it is made, nor who writes into the buffer meanwhile.
func (b *hostBuffer) touch() {
	for at := 0; at < b.size; at += hostAlign {
		atomic.AddUint32((*uint32)(unsafe.Add(b.base, at)), 0)
	}
}

// lock registers mapped memory.
func (b *hostBuffer) lock() error {
	code := C.pinring_host_register(b.dev.ctx, b.base, C.size_t(b.size))
	if err := b.dev.failAlloc("cuMemHostRegister", int(code), b.bytes); err != nil {
		return err
	}
	b.registered = true
	return nil
}
