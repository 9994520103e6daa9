package gpu

import (
	"sync/atomic"
	"unsafe"
)

// once calls f the first time only.
type once struct {
	done atomic.Bool
	f    func()
}

func (o *once) do() {
	if !o.done.Swap(true) {
		o.f()
	}
}

// freedBuffer is a buffer that tells when it was freed.
type freedBuffer struct {
	inner Buffer
	once  once
}

func (b *freedBuffer) Addr() Addr { return b.inner.Addr() }
func (b *freedBuffer) Bytes() int { return b.inner.Bytes() }

// Free tells only of success: memory that could not be freed stays in use.
func (b *freedBuffer) Free() error {
	if err := b.inner.Free(); err != nil {
		return err
	}
	b.once.do()
	return nil
}

// freedHostBuffer is a host buffer that tells when it was freed.
type freedHostBuffer struct {
	inner HostBuffer
	once  once
}

func (b *freedHostBuffer) Addr() Addr          { return b.inner.Addr() }
func (b *freedHostBuffer) Bytes() int          { return b.inner.Bytes() }
func (b *freedHostBuffer) Ptr() unsafe.Pointer { return b.inner.Ptr() }
func (b *freedHostBuffer) Kind() HostKind      { return b.inner.Kind() }
func (b *freedHostBuffer) DeviceAddr() Addr    { return b.inner.DeviceAddr() }

// Free tells only of success: memory that could not be freed stays in use.
func (b *freedHostBuffer) Free() error {
	if err := b.inner.Free(); err != nil {
		return err
	}
	b.once.do()
	return nil
}
