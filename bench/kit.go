package bench

import (
	"slices"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// kit makes what a measurement needs and frees it in the opposite order. The first error sticks; what
// is made after it is nil.
type kit struct {
	err  error
	undo []func() error
}

func (k *kit) free() {
	for _, f := range slices.Backward(k.undo) {
		if err := f(); err != nil && k.err == nil {
			k.err = err
		}
	}
	k.undo = nil
}

// made notes how to free what make made.
func made[T any](k *kit, make func() (T, error), free func(T) error) (v T) {
	if k.err != nil {
		return v
	}
	if v, k.err = make(); k.err == nil {
		k.undo = append(k.undo, func() error { return free(v) })
	}
	return v
}

func (k *kit) host(dev gpu.Device, kind gpu.HostKind, bytes int) gpu.HostBuffer {
	return made(k, func() (gpu.HostBuffer, error) { return dev.AllocHost(bytes, kind) }, gpu.HostBuffer.Free)
}

func (k *kit) device(dev gpu.Device, bytes int) gpu.Buffer {
	return made(k, func() (gpu.Buffer, error) { return dev.Alloc(bytes) }, gpu.Buffer.Free)
}

func (k *kit) stream(dev gpu.Device) gpu.Stream {
	return made(k, dev.NewStream, gpu.Stream.Close)
}

func (k *kit) event(dev gpu.Device) gpu.Event {
	return made(k, func() (gpu.Event, error) { return dev.NewEvent(true) }, gpu.Event.Close)
}

// lane is a stream with host and device memory of one size, and a list between two events.
type lane struct {
	stream     gpu.Stream
	begin, end gpu.Event
	host       gpu.HostBuffer
	dev        gpu.Buffer
	bytes      int
	cmds       gpu.Commands
}

func (k *kit) lane(dev gpu.Device, kind gpu.HostKind, bytes int) *lane {
	l := &lane{bytes: bytes, host: k.host(dev, kind, bytes), dev: k.device(dev, bytes)}
	l.stream, l.begin, l.end = k.stream(dev), k.event(dev), k.event(dev)
	return l
}

// copies records n copies of everything.
func (l *lane) copies(op gpu.Op, n int) {
	dst, src := l.dev.Addr(), l.host.Addr()
	if op == gpu.OpCopyD2H {
		dst, src = src, dst
	}
	l.cmds.Record(l.begin)
	for range n {
		l.cmds.Copy(op, dst, src, l.bytes)
	}
	l.cmds.Record(l.end)
}

// tables uploads the chain's constants.
func (k *kit) tables(dev gpu.Device, t []byte) gpu.Addr {
	if len(t) == 0 {
		return 0
	}
	h, d, s := k.host(dev, gpu.Pinned, len(t)), k.device(dev, len(t)), k.stream(dev)
	if k.err != nil {
		return 0
	}
	copy(unsafe.Slice((*byte)(h.Ptr()), len(t)), t)
	var c gpu.Commands
	c.Copy(gpu.OpCopyH2D, d.Addr(), h.Addr(), len(t))
	if k.err = s.Submit(&c); k.err == nil {
		k.err = s.Synchronize()
	}
	return d.Addr()
}

// median of the values, 0 of none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}
