package wddm

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// AllocHost allocates host memory of the device and charges it. Pageable memory is not charged. It
// fails with an *gpu.OutOfMemoryError that wraps a *[Refusal] when the emulated card has no room.
func (c *Card) AllocHost(bytes int, kind gpu.HostKind) (gpu.HostBuffer, error) {
	if bytes <= 0 || kind == gpu.Pageable {
		return c.Device.AllocHost(bytes, kind)
	}
	amt := c.params.hostAmounts(int64(bytes), kind)
	e, err := c.charge(amt, c.params.Reclaim, true, hostCall(kind), int64(bytes))
	if err != nil {
		return nil, err
	}
	b, err := c.Device.AllocHost(bytes, kind)
	if err != nil {
		c.uncharge(e)
		return nil, err
	}
	return &hostBuffer{HostBuffer: b, receipt: receipt{card: c, entry: e}}, nil
}

// Alloc allocates device memory and charges it to LOCAL. It fails like AllocHost.
func (c *Card) Alloc(bytes int) (gpu.Buffer, error) {
	if bytes <= 0 {
		return c.Device.Alloc(bytes)
	}
	e, err := c.charge(amounts{budget.DeviceLocal: int64(bytes)}, 0, false, "cuMemAlloc", int64(bytes))
	if err != nil {
		return nil, err
	}
	var b gpu.Buffer
	err = c.swap(int64(bytes), func() (err error) { b, err = c.Device.Alloc(bytes); return err })
	if err != nil {
		c.uncharge(e)
		return nil, err
	}
	return &buffer{Buffer: b, receipt: receipt{card: c, entry: e}}, nil
}

func hostCall(kind gpu.HostKind) string {
	switch kind {
	case gpu.Registered:
		return "cuMemHostRegister"
	case gpu.Managed:
		return "cuMemAllocManaged"
	}
	return "cuMemHostAlloc"
}

// cudaErrorOutOfMemory is CUDA_ERROR_OUT_OF_MEMORY of CUDA's driver API.
const cudaErrorOutOfMemory = 2

func outOfMemory(call string, bytes int64, r *Refusal) error {
	e := &gpu.OutOfMemoryError{Call: call + " (emulated)", Code: cudaErrorOutOfMemory, Requested: bytes, Reason: r.Error(), Err: r}
	// In ballast mode the driver refused: its call and code are what happened.
	var d *gpu.OutOfMemoryError
	if errors.As(r.Err, &d) {
		e.Call, e.Code = d.Call, d.Code
	}
	return e
}

// charge books a buffer or says why not.
func (c *Card) charge(amt amounts, delay time.Duration, host bool, call string, bytes int64) (entry, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var e entry
	err := c.withPeers(func() error {
		var r *Refusal
		var err error
		if e, r, err = c.grant(amt, delay, host); err != nil {
			return err
		}
		if r != nil {
			c.counts.Refusals++
			return outOfMemory(call, bytes, r)
		}
		c.counts.Allocs++
		return nil
	})
	return e, err
}

// grant asks the books, and a backend in place of their LOCAL limit. The error is of a backend that
// failed for another reason than memory.
func (c *Card) grant(amt amounts, delay time.Duration, host bool) (entry, *Refusal, error) {
	l := c.books
	if c.backend == nil {
		e, r := l.alloc(amt, delay, host)
		return e, r, nil
	}
	ask := amt
	ask[budget.DeviceLocal] = 0
	e, r := l.alloc(ask, delay, host)
	if r != nil {
		return e, r, nil
	}
	l.undo(e)
	if amt[budget.DeviceLocal] > 0 {
		err := c.hold(l.usage(budget.DeviceLocal) + amt[budget.DeviceLocal])
		if errors.Is(err, gpu.ErrOutOfMemory) {
			l.refused = l.refused || host
			r := l.refusal(budget.DeviceLocal, amt, false)
			r.Err = err
			return entry{}, r, nil
		}
		if err != nil {
			return entry{}, nil, err
		}
	}
	return l.book(amt, delay, host), nil, nil
}

// uncharge takes back a charge whose allocation failed.
func (c *Card) uncharge(e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Allocs--
	// What cannot be told to peers now is told with the next charge.
	_ = c.withPeers(func() error { c.books.undo(e); return nil })
	c.ring()
}

// receipt is what a buffer remembers of its charge.
type receipt struct {
	card  *Card
	entry entry
	freed atomic.Bool
}

// settle frees with the device's function and books it, once.
func (r *receipt) settle(free func() error) error {
	if !r.freed.CompareAndSwap(false, true) {
		return nil
	}
	if err := free(); err != nil {
		r.freed.Store(false) // not freed: it stays charged, and may be tried again
		return err
	}
	c := r.card
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Frees++
	_ = c.withPeers(func() error { c.books.free(r.entry); return nil }) // as in uncharge
	c.ring()
	return nil
}

type hostBuffer struct {
	gpu.HostBuffer
	receipt
}

func (b *hostBuffer) Free() error { return b.settle(b.HostBuffer.Free) }

type buffer struct {
	gpu.Buffer
	receipt
}

func (b *buffer) Free() error {
	return b.settle(func() error { return b.card.swap(-int64(b.Bytes()), b.Buffer.Free) })
}
