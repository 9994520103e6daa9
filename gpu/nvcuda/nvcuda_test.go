//go:build windows || linux

package nvcuda_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"go.uber.org/goleak"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/gputest"
	"github.com/pinring/pinring/gpu/gputest/testmodule"
	"github.com/pinring/pinring/gpu/nvcuda"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open skips without a GPU; PINRING_REQUIRE_CUDA=1 makes that a failure.
func open(t testing.TB) *nvcuda.Device {
	t.Helper()
	d, err := nvcuda.Open(0)
	if err == nil {
		return d
	}
	if os.Getenv("PINRING_REQUIRE_CUDA") == "1" {
		t.Fatalf("PINRING_REQUIRE_CUDA is set: %v", err)
	}
	t.Skipf("no CUDA device to test: %v", err)
	return nil
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestConformance(t *testing.T) {
	ok(t, open(t).Close())
	gputest.Run(t, func(t testing.TB) gpu.Device { return open(t) }, testmodule.Module())
}

// TestForeignContext runs the suite inside a context that somebody else owns.
func TestForeignContext(t *testing.T) {
	owner := open(t)
	defer func() { ok(t, owner.Close()) }()
	wrap := func(t testing.TB) gpu.Device {
		d, err := nvcuda.Wrap(owner.Context())
		ok(t, err)
		return d
	}
	gputest.Run(t, wrap, testmodule.Module())
}

// TestForeignStream works on another device's stream, and leaves it alone at Close.
func TestForeignStream(t *testing.T) {
	owner := open(t)
	theirs, err := owner.NewStream()
	ok(t, err)
	d, err := nvcuda.Wrap(owner.Context())
	ok(t, err)
	handle, own := nvcuda.StreamHandle(theirs)
	if !own || handle == 0 {
		t.Fatalf("StreamHandle = %#x, %v", handle, own)
	}
	for _, h := range []uintptr{handle, 0} { // theirs, and the default stream
		s := d.WrapStream(h)
		b, err := d.Alloc(4096)
		ok(t, err)
		m, err := d.AllocHost(4096, gpu.Pinned)
		ok(t, err)
		var c gpu.Commands
		c.Fill(b.Addr(), 0x42, 4096)
		c.Copy(gpu.OpCopyD2H, m.Addr(), b.Addr(), 4096)
		ok(t, errors.Join(s.Submit(&c), s.Synchronize()))
		if v := unsafe.Slice((*byte)(m.Ptr()), 4096)[4095]; v != 0x42 {
			t.Errorf("stream %#x: the last byte is %#x", h, v)
		}
		ok(t, errors.Join(s.Close(), b.Free(), m.Free()))
	}
	ok(t, errors.Join(d.Close(), theirs.Synchronize(), theirs.Close(), owner.Close()))
}

// TestPinned asks the driver about each kind of host memory.
func TestPinned(t *testing.T) {
	d := open(t)
	for _, k := range []gpu.HostKind{gpu.Pinned, gpu.Registered, gpu.Mapped, gpu.WriteCombined, gpu.Pageable, gpu.Managed} {
		b, err := d.AllocHost(6_220_800, k)
		if errors.Is(err, gpu.ErrUnsupported) {
			t.Logf("%v: %v", k, err)
			continue
		}
		ok(t, err)
		for _, at := range []int{0, 4096, b.Bytes() - 1} {
			pinned, err := d.Pinned(unsafe.Add(b.Ptr(), at))
			ok(t, err)
			if pinned != k.Locked() {
				t.Errorf("%v memory, byte %d: pinned is %v, want %v", k, at, pinned, k.Locked())
			}
		}
		ok(t, b.Free())
	}
	ok(t, d.Close())
}

func TestTimeline(t *testing.T) {
	ok(t, open(t).Close())
	gputest.Timeline(t, func(t testing.TB) gpu.Device { return open(t) }, testmodule.Module())
}

func TestBadPTX(t *testing.T) {
	d := open(t)
	_, err := d.Load(gpu.Module{PTX: ".version 6.0\n.target sm_70\n.address_size 64\nnonsense\n"})
	if err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("Load = %v, want the compiler's words", err)
	}
	ok(t, d.Close())
}

func TestNoSuchDevice(t *testing.T) {
	ok(t, open(t).Close())
	for _, n := range []int{-1, 1000} {
		if _, err := nvcuda.Open(n); err == nil || !strings.Contains(err.Error(), "there is no CUDA device") {
			t.Errorf("Open(%d) = %v", n, err)
		}
	}
}

// TestPoison lets a kernel write to nowhere, in a process of its own, since that loses the context.
func TestPoison(t *testing.T) {
	ok(t, open(t).Close())
	child := exec.Command(os.Args[0], "-test.run=^TestPoisonChild$", "-test.v")
	child.Env = append(os.Environ(), "PINRING_POISON_CHILD=1")
	out, err := child.CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "--- PASS: TestPoisonChild") {
		t.Errorf("the child: %v", err)
	}
}

func TestPoisonChild(t *testing.T) {
	if os.Getenv("PINRING_POISON_CHILD") == "" {
		t.Skip("runs as the child of TestPoison")
	}
	d := open(t)
	p, err := d.Load(testmodule.Module())
	ok(t, err)
	k, err := p.Kernel("wild")
	ok(t, err)
	s, err := d.NewStream()
	ok(t, err)
	e, err := d.NewEvent(false)
	ok(t, err)
	host, err := d.AllocHost(4096, gpu.Pinned)
	ok(t, err)
	b, err := d.Alloc(4096)
	ok(t, err)
	var c gpu.Commands
	c.Launch(k, 1, 1, 64)
	c.Record(e)
	if err := s.Submit(&c); err != nil && !gpu.Poisoned(err) { // the fault may show at once
		t.Fatal(err)
	}
	for _, call := range []struct {
		name string
		err  error
	}{{"Synchronize", s.Synchronize()}, {"Event.Synchronize", e.Synchronize()}, {"Submit", s.Submit(&c)}} {
		if !gpu.Poisoned(call.err) {
			t.Errorf("%s = %v, want that the context is lost", call.name, call.err)
		}
	}
	if _, err := d.Alloc(4096); !gpu.Poisoned(err) {
		t.Errorf("Alloc = %v, want that the context is lost", err)
	}
	for name, free := range map[string]func() error{"host memory": host.Free, "device memory": b.Free, "stream": s.Close, "event": e.Close, "program": p.Close} {
		if err := free(); !gpu.Poisoned(err) {
			t.Errorf("release of %s = %v, want that the context is lost", name, err)
		}
	}
	*(*byte)(host.Ptr()) = 1 // it was not freed
	if err := d.Close(); err == nil {
		t.Error("Close does not tell what was leaked")
	}
}

// TestNoDriver: without a driver the program runs, and the error names the library.
func TestNoDriver(t *testing.T) {
	d, err := nvcuda.Open(0)
	if err == nil {
		ok(t, d.Close())
		t.Skip("this machine has a driver")
	}
	var none *nvcuda.NoDriverError
	if !errors.As(err, &none) {
		t.Skipf("there is a driver, but no device: %v", err)
	}
	if none.Code == 303 && !strings.Contains(err.Error(), "cuda") {
		t.Errorf("%v does not name the library", err)
	}
	t.Log(err)
}

// BenchmarkSubmit is the cost of a frame's list: copy up, launch, copy down, record.
func BenchmarkSubmit(b *testing.B) {
	d := open(b)
	p, err := d.Load(testmodule.Module())
	ok(b, err)
	k, err := p.Kernel("affine")
	ok(b, err)
	s, err := d.NewStream()
	ok(b, err)
	e, err := d.NewEvent(false)
	ok(b, err)
	host, err := d.AllocHost(4096, gpu.Pinned)
	ok(b, err)
	m, err := d.Alloc(4096)
	ok(b, err)
	a := uint64(m.Addr())
	var c gpu.Commands
	b.ReportAllocs()
	for b.Loop() {
		c.Reset()
		c.Copy(gpu.OpCopyH2D, m.Addr(), host.Addr(), 4096)
		c.Launch(k, 64, 64, a, 64, a, 64, 64, 64, 1, 1)
		c.Copy(gpu.OpCopyD2H, host.Addr(), m.Addr(), 4096)
		c.Record(e)
		if err := errors.Join(s.Submit(&c), e.Synchronize()); err != nil {
			b.Fatal(err)
		}
	}
	ok(b, errors.Join(host.Free(), m.Free(), s.Close(), e.Close(), p.Close(), d.Close()))
}
