//go:build cuda && linux

package cuda

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// roomBytes is how much address space early memory is cut from: half of what a program pins at most by default
// (budget.CapPlain). Addresses that nobody writes to cost nothing.
const roomBytes = 1 << 30

const hugePage = 2 << 20

// room is address space in one piece, so that large pages lie across the buffers that are cut from it, and one
// call of the system serves them all. Buffers are unmapped by those who have them.
type room struct {
	next, end uintptr
	base      unsafe.Pointer
	tried     bool
}

// cut takes bytes, a multiple of pages; nil when there is not as much left, or none to be had.
func (r *room) cut(bytes int) unsafe.Pointer {
	if !r.tried {
		r.open()
	}
	if r.end-r.next < uintptr(bytes) {
		return nil
	}
	at := unsafe.Add(r.base, r.next)
	r.next += uintptr(bytes)
	return at
}

// open maps the room. What stands in its way, such as ulimit -v, is no failure: the driver is asked for memory
// when the context is there.
func (r *room) open() {
	r.tried = true
	base, err := unix.MmapPtr(-1, 0, nil, roomBytes+hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return
	}
	r.base, r.next, r.end = base, -uintptr(base)%hugePage, roomBytes+hugePage
	if r.next > 0 {
		_ = unix.MunmapPtr(base, r.next)
	}
	_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Add(base, r.next)), r.end-r.next), unix.MADV_HUGEPAGE)
}

// close unmaps what nobody took.
func (r *room) close() {
	if r.next < r.end {
		_ = unix.MunmapPtr(unsafe.Add(r.base, r.next), r.end-r.next)
	}
	r.end = r.next
}
