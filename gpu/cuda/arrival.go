//go:build cuda && linux

package cuda

// #include "driver.h"
import "C"

import (
	"errors"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
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

	touching chan struct{} // holds as many as touch at once
}

func newArrival() *arrival {
	return &arrival{over: make(chan struct{}), touching: make(chan struct{}, 4)}
}

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
	for _, b := range a.early {
		<-b.touched
		if err == nil {
			err = b.lock()
		}
	}
	a.err, a.done, a.early = err, true, nil
	close(a.over)
}

// allocEarly maps a buffer that is registered on arrival. It gives none when the context is there.
func (d *Device) allocEarly(bytes int) (*hostBuffer, error) {
	a := d.arrival
	select {
	case <-a.over:
		return nil, nil
	default:
	}
	if err := checkBytes("mmap", bytes); err != nil {
		return nil, err
	}
	b := &hostBuffer{dev: d, kind: gpu.Pinned, bytes: bytes, size: hostRound(bytes), early: true}
	if err := b.mmap(); err != nil {
		return nil, err
	}
	b.ptr = b.base
	if err := d.expect(b); err != nil {
		return nil, errors.Join(err, unix.MunmapPtr(b.base, uintptr(b.size)))
	}
	return b, nil
}

// touch has the system find pages for all of the buffer, large ones where it can, so that page-locking them
// takes little. What an older system cannot do it does when the pages are locked. The buffer may be written to
// meanwhile.
func (b *hostBuffer) touch() {
	defer close(b.touched)
	b.dev.arrival.touching <- struct{}{}
	defer func() { <-b.dev.arrival.touching }()
	pages := unsafe.Slice((*byte)(b.base), b.size)
	_ = unix.Madvise(pages, unix.MADV_HUGEPAGE)
	_ = unix.Madvise(pages, unix.MADV_POPULATE_WRITE)
}

// expect puts the buffer on the list, or locks it when the context came meanwhile.
func (d *Device) expect(b *hostBuffer) error {
	a := d.arrival
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.done {
		b.touched = make(chan struct{})
		a.early = append(a.early, b)
		go b.touch()
		return nil
	}
	if a.err != nil {
		return a.err
	}
	return b.lock()
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
