//go:build cuda && linux

package cuda_test

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"
	"unsafe"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cuda"
	"github.com/pinring/pinring/gpu/gputest"
	"github.com/pinring/pinring/gpu/gputest/driverdouble"
	"github.com/pinring/pinring/gpu/gputest/testmodule"
)

// begin is open without the wait for the context.
func begin(t testing.TB) *cuda.Device {
	t.Helper()
	ok(t, open(t).Close())
	d, err := cuda.Begin(0)
	ok(t, err)
	return d
}

// played makes the driver's double play s, or skips: a card does not fail when it is told to.
func played(t testing.TB, s driverdouble.Settings) *cuda.Device {
	t.Helper()
	if os.Getenv("PINRING_DOUBLE_CHILD") == "" {
		t.Skip("needs the driver's double")
	}
	t.Setenv("CUDA_DOUBLE", s.String())
	d, err := cuda.Begin(0)
	ok(t, err)
	return d
}

func TestConformanceBegun(t *testing.T) {
	gputest.Run(t, func(t testing.TB) gpu.Device { return begin(t) }, testmodule.Module())
}

// TestMemoryBeforeTheContext: what is asked for at once is page-locked when the context is there, and
// copies find in it what was written before.
func TestMemoryBeforeTheContext(t *testing.T) {
	d := begin(t)
	const bytes = 3_141_632
	b, err := d.AllocHost(bytes, gpu.Pinned)
	ok(t, err)
	written := unsafe.Slice((*byte)(b.Ptr()), bytes)
	for i := range written {
		written[i] = byte(i * 7)
	}
	if b.Kind() != gpu.Pinned || b.Bytes() != bytes || uintptr(b.Ptr())%4096 != 0 {
		t.Errorf("%v memory of %d bytes at %p", b.Kind(), b.Bytes(), b.Ptr())
	}
	pinned, err := d.Pinned(b.Ptr())
	ok(t, err)
	if !pinned {
		t.Error("the driver does not know it as page-locked")
	}
	checkRoundTrip(t, d, b, written)
	ok(t, errors.Join(b.Free(), b.Free(), d.Close()))
}

func checkRoundTrip(t *testing.T, d *cuda.Device, b gpu.HostBuffer, written []byte) {
	t.Helper()
	s, err := d.NewStream()
	ok(t, err)
	there, err := d.Alloc(len(written))
	ok(t, err)
	back, err := d.AllocHost(len(written), gpu.Pinned)
	ok(t, err)
	var c gpu.Commands
	c.Copy(gpu.OpCopyH2D, there.Addr(), b.Addr(), len(written))
	c.Copy(gpu.OpCopyD2H, back.Addr(), there.Addr(), len(written))
	ok(t, errors.Join(s.Submit(&c), s.Synchronize()))
	if !bytes.Equal(unsafe.Slice((*byte)(back.Ptr()), len(written)), written) {
		t.Error("what came back is something else")
	}
	ok(t, errors.Join(there.Free(), back.Free(), s.Close()))
}

// TestEarlyMemoryIsRegistered: the driver's own pinned memory comes with the context, and not earlier.
func TestEarlyMemoryIsRegistered(t *testing.T) {
	d := played(t, driverdouble.Settings{Arrive: 300 * time.Millisecond, Fail: []string{"cuMemHostAlloc:1"}})
	early, err := d.AllocHost(4096, gpu.Pinned)
	ok(t, err)
	ok(t, d.Ready())
	var oom *gpu.OutOfMemoryError
	if _, err := d.AllocHost(4096, gpu.Pinned); !errors.As(err, &oom) || oom.Call != "cuMemHostAlloc" {
		t.Errorf("%v, want that the first cuMemHostAlloc fails", err)
	}
	ok(t, errors.Join(early.Free(), d.Close()))
}

// TestNoContext: a device without a context is good for nothing but to be closed, and says why.
func TestNoContext(t *testing.T) {
	d := played(t, driverdouble.Settings{Arrive: 100 * time.Millisecond, Fail: []string{"cuDevicePrimaryCtxRetain:1:46"}})
	early, err := d.AllocHost(4096, gpu.Pinned)
	ok(t, err)
	var e *gpu.DeviceError
	var none *gpu.NoContextError
	if err := d.Ready(); !errors.As(err, &none) || !errors.As(err, &e) || e.Call != "cuDevicePrimaryCtxRetain" || e.Code != 46 {
		t.Errorf("%v, want that the context cannot be retained", err)
	}
	_, err1 := d.AllocHost(4096, gpu.Pinned)
	_, err2 := d.NewStream()
	_, err3 := d.MemInfo()
	_, err4 := d.Pinned(early.Ptr())
	for _, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, e) {
			t.Errorf("%v, want %v", err, e)
		}
	}
	if c := d.Context(); c != 0 {
		t.Errorf("the context is %#x", c)
	}
	ok(t, errors.Join(early.Free(), d.Close()))
}

// TestEarlyMemoryIsRefused: that memory cannot be page-locked is an error, and not memory of another kind. What
// was locked before it is given back.
func TestEarlyMemoryIsRefused(t *testing.T) {
	d := played(t, driverdouble.Settings{Arrive: 300 * time.Millisecond, Fail: []string{"cuMemHostRegister:2"}})
	var early [3]gpu.HostBuffer
	for i := range early {
		var err error
		early[i], err = d.AllocHost(8192, gpu.Pinned)
		ok(t, err)
	}
	var oom *gpu.OutOfMemoryError
	if err := d.Ready(); !errors.As(err, &oom) || oom.Call != "cuMemHostRegister" || oom.Requested != 8192 {
		t.Errorf("%v, want that 8192 bytes were refused", err)
	}
	for _, b := range early {
		ok(t, b.Free())
	}
	ok(t, d.Close())
}

// TestClosedBeforeTheContext: Close waits for what it has to give back.
func TestClosedBeforeTheContext(t *testing.T) {
	ok(t, played(t, driverdouble.Settings{Arrive: 100 * time.Millisecond}).Close())
	d, err := cuda.Begin(0)
	ok(t, err)
	early, err := d.AllocHost(4096, gpu.Pinned)
	ok(t, err)
	if d.Close() == nil {
		t.Error("Close does not report memory that is alive")
	}
	if _, err := d.AllocHost(4096, gpu.Pinned); err == nil {
		t.Error("a closed device gives memory")
	}
	ok(t, early.Free())
}
