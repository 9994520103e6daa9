package gputest

import (
	stdbytes "bytes"
	"fmt"
	"testing"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// rig is a device with the module loaded, one stream, and helpers that end the test on an error.
// What it makes is released by close, in order.
type rig struct {
	t       testing.TB
	dev     gpu.Device
	program gpu.Program
	stream  gpu.Stream
	undo    []func() error
}

// withRig runs f with a fresh device, and demands that the device closes without leaks.
func withRig(t *testing.T, open Open, module gpu.Module, f func(r *rig)) {
	r := &rig{t: t, dev: open(t)}
	defer r.close()
	p, err := r.dev.Load(module)
	r.ok("load the test module", err)
	r.program = p
	r.undo = append(r.undo, p.Close)
	r.stream = r.newStream()
	f(r)
}

func (r *rig) close() {
	for i := len(r.undo) - 1; i >= 0; i-- {
		if err := r.undo[i](); err != nil {
			r.t.Errorf("release: %v", err)
		}
	}
	if err := r.dev.Close(); err != nil {
		r.t.Errorf("close the device: %v", err)
	}
	if err := r.dev.Close(); err != nil {
		r.t.Errorf("close the device a second time: %v", err)
	}
}

func (r *rig) ok(what string, err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatalf("%s: %v", what, err)
	}
}

func (r *rig) newStream() gpu.Stream {
	r.t.Helper()
	s, err := r.dev.NewStream()
	r.ok("new stream", err)
	r.undo = append(r.undo, s.Close)
	return s
}

func (r *rig) newEvent(timing bool) gpu.Event {
	r.t.Helper()
	e, err := r.dev.NewEvent(timing)
	r.ok("new event", err)
	r.undo = append(r.undo, e.Close)
	return e
}

func (r *rig) host(bytes int) gpu.HostBuffer {
	r.t.Helper()
	b, err := r.dev.AllocHost(bytes, gpu.Pinned)
	r.ok(fmt.Sprintf("%d bytes of pinned memory", bytes), err)
	r.undo = append(r.undo, b.Free)
	return b
}

func (r *rig) device(bytes int) gpu.Buffer {
	r.t.Helper()
	b, err := r.dev.Alloc(bytes)
	r.ok(fmt.Sprintf("%d bytes of device memory", bytes), err)
	r.undo = append(r.undo, b.Free)
	return b
}

func (r *rig) kernel(name string) gpu.Kernel {
	r.t.Helper()
	k, err := r.program.Kernel(name)
	r.ok("kernel "+name, err)
	return k
}

// do submits what record records to the rig's stream and waits for it.
func (r *rig) do(record func(c *gpu.Commands)) {
	r.t.Helper()
	var c gpu.Commands
	record(&c)
	r.ok("submit", r.stream.Submit(&c))
	r.ok("synchronize", r.stream.Synchronize())
}

// bytes views a host buffer.
func bytes(b gpu.HostBuffer) []byte { return unsafe.Slice((*byte)(b.Ptr()), b.Bytes()) }

// words views a host buffer as 32-bit numbers.
func words(b gpu.HostBuffer) []uint32 { return unsafe.Slice((*uint32)(b.Ptr()), b.Bytes()/4) }

// noise fills p with bytes that look random and depend on seed.
func noise(p []byte, seed uint64) {
	x := seed*0x9e3779b97f4a7c15 + 1
	for i := range p {
		x ^= x << 13 // xorshift64 (Marsaglia, "Xorshift RNGs", 2003)
		x ^= x >> 7
		x ^= x << 17
		p[i] = byte(x >> 32)
	}
}

// firstDifference says where two byte strings part, -1 when nowhere.
func firstDifference(got, want []byte) int {
	if stdbytes.Equal(got, want) {
		return -1
	}
	for i := range want {
		if got[i] != want[i] {
			return i
		}
	}
	return -1
}
