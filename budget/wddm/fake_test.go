package wddm_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

// fakeDevice hands out buffers without memory behind them, and counts them.
type fakeDevice struct {
	gpu.Device // what is not needed is nil
	failHost   error
	failFree   error
	closed     bool
}

func (d *fakeDevice) Info() gpu.Info                  { return gpu.Info{Kind: gpu.CPU, Name: "fake", Unified: true} }
func (d *fakeDevice) MemInfo() (gpu.MemInfo, error)   { return gpu.MemInfo{Free: 1, Total: 2}, nil }
func (d *fakeDevice) Close() error                    { d.closed = true; return nil }
func (d *fakeDevice) NewStream() (gpu.Stream, error)  { return nil, gpu.ErrUnsupported }
func (d *fakeDevice) Alloc(n int) (gpu.Buffer, error) { return d.AllocHost(n, gpu.Pinned) }
func (d *fakeDevice) AllocHost(n int, k gpu.HostKind) (gpu.HostBuffer, error) {
	if n <= 0 {
		return nil, errors.New("fake: no bytes")
	}
	if d.failHost != nil {
		return nil, d.failHost
	}
	return &fakeBuffer{device: d, bytes: n, kind: k}, nil
}

type fakeBuffer struct {
	device *fakeDevice
	bytes  int
	kind   gpu.HostKind
}

func (b *fakeBuffer) Addr() gpu.Addr       { return 4096 }
func (b *fakeBuffer) Bytes() int           { return b.bytes }
func (b *fakeBuffer) Free() error          { return b.device.failFree }
func (b *fakeBuffer) Ptr() unsafe.Pointer  { return nil }
func (b *fakeBuffer) Kind() gpu.HostKind   { return b.kind }
func (b *fakeBuffer) DeviceAddr() gpu.Addr { return 4096 }

// open makes a card from its description.
func open(t testing.TB, spec string, o wddm.Options) *wddm.Card {
	t.Helper()
	p, err := wddm.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	c, err := wddm.Emulate(&fakeDevice{}, p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}
