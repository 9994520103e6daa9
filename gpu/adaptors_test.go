//go:build linux && cgo

package gpu_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/gpu/gputest/testmodule"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB) gpu.Device {
	d, err := cpu.Open(cpu.Options{Cores: 2})
	ok(t, err)
	return d
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLimitNamesTheCap(t *testing.T) {
	d := gpu.NewLimit(open(t), gpu.Caps{Locked: 10_000, Host: 20_000, Device: 5_000})
	pinned, err := d.AllocHost(8_000, gpu.Pinned)
	ok(t, err)
	_, err = d.AllocHost(3_000, gpu.Mapped)
	mustBeOver(t, err, 3_000, "8000 bytes of page-locked host memory are in use and the limit is 10000")
	pageable, err := d.AllocHost(12_000, gpu.Pageable)
	ok(t, err)
	_, err = d.AllocHost(1, gpu.Managed)
	mustBeOver(t, err, 1, "20000 bytes of host memory are in use and the limit is 20000")
	_, err = d.Alloc(5_001)
	mustBeOver(t, err, 5_001, "0 bytes of device memory are in use and the limit is 5000")
	buffer, err := d.Alloc(5_000)
	ok(t, err)
	if m, err := d.MemInfo(); err != nil || m.Total != 5_000 || m.Free != 0 {
		t.Errorf("MemInfo = %+v, %v, want a full card of 5000 bytes", m, err)
	}
	ok(t, errors.Join(pinned.Free(), pinned.Free(), pageable.Free(), buffer.Free(), buffer.Free()))
	if use := d.InUse(); use != (gpu.Caps{}) {
		t.Errorf("after all was freed, %+v is in use", use)
	}
	ok(t, d.Close())
}

func mustBeOver(t *testing.T, err error, bytes int64, text string) {
	t.Helper()
	var oom *gpu.OutOfMemoryError
	if !errors.As(err, &oom) || oom.Requested != bytes || !strings.Contains(err.Error(), text) {
		t.Errorf("%v, want out of memory asking for %d bytes: %s", err, bytes, text)
	}
}

// TestLimitBooks compares with sums kept here, over random allocations and frees.
func TestLimitBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := gpu.Caps{Locked: 40_000, Host: 60_000, Device: 30_000}
		inner, err := cpu.Open(cpu.Options{Cores: 1})
		if err != nil {
			t.Fatal(err)
		}
		d := gpu.NewLimit(inner, caps)
		var use gpu.Caps
		var undo []func()
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			n := rapid.IntRange(1, 20_000).Draw(t, "bytes")
			if len(undo) > 0 && rapid.Bool().Draw(t, "free") {
				i := rapid.IntRange(0, len(undo)-1).Draw(t, "which")
				undo[i]()
				undo = append(undo[:i], undo[i+1:]...)
			} else if f := allocate(t, d, &use, caps, n); f != nil {
				undo = append(undo, f)
			}
			if d.InUse() != use {
				t.Fatalf("in use %+v, want %+v", d.InUse(), use)
			}
		}
		for _, f := range undo {
			f()
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// allocate makes a buffer of a random kind and checks whether the caps allow it; it returns how to
// free it, nil when it was refused.
func allocate(t *rapid.T, d gpu.Device, use *gpu.Caps, caps gpu.Caps, n int) func() {
	var b gpu.Buffer
	var err error
	var add gpu.Caps
	if k := rapid.IntRange(0, gpu.NumHostKinds).Draw(t, "kind"); k == gpu.NumHostKinds {
		add.Device = int64(n)
		b, err = d.Alloc(n)
	} else {
		add.Host = int64(n)
		if gpu.HostKind(k).Locked() {
			add.Locked = int64(n)
		}
		b, err = d.AllocHost(n, gpu.HostKind(k))
	}
	now := gpu.Caps{Locked: use.Locked + add.Locked, Host: use.Host + add.Host, Device: use.Device + add.Device}
	fits := now.Locked <= caps.Locked || add.Locked == 0
	fits = fits && (now.Host <= caps.Host || add.Host == 0) && (now.Device <= caps.Device || add.Device == 0)
	if (err == nil) != fits {
		t.Fatalf("%+v in use, adding %+v: %v", *use, add, err)
	}
	if err != nil {
		return nil
	}
	*use = now
	return func() {
		if err := b.Free(); err != nil {
			t.Fatal(err)
		}
		*use = gpu.Caps{Locked: use.Locked - add.Locked, Host: use.Host - add.Host, Device: use.Device - add.Device}
	}
}

func TestStats(t *testing.T) {
	d := gpu.NewStats(gpu.NewFailNth(open(t), gpu.Faults{AllocHost: 3}))
	p, err := d.Load(testmodule.Module())
	ok(t, err)
	k, err := p.Kernel("affine")
	ok(t, err)
	s, err := d.NewStream()
	ok(t, err)
	pinned, err := d.AllocHost(1000, gpu.Pinned)
	ok(t, err)
	mapped, err := d.AllocHost(500, gpu.Mapped)
	ok(t, err)
	if _, err := d.AllocHost(1, gpu.Pinned); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("the third AllocHost = %v", err)
	}
	b, err := d.Alloc(2000)
	ok(t, err)
	ok(t, pinned.Free())
	ok(t, pinned.Free())
	pageable, err := d.AllocHost(700, gpu.Pageable)
	ok(t, err)
	var c gpu.Commands
	c.Fill(b.Addr(), 1, 2000)
	c.Copy(gpu.OpCopyH2D, b.Addr(), mapped.Addr(), 500)
	c.Copy2D(gpu.OpCopyD2H, mapped.Addr(), 50, b.Addr(), 100, 40, 5)
	c.Launch(k, 10, 10, uint64(b.Addr()), 10, uint64(b.Addr()), 10, 10, 10, 1, 0)
	ok(t, s.Submit(&c))
	ok(t, s.Submit(&c))
	ok(t, errors.Join(s.Synchronize(), mapped.Free(), b.Free(), pageable.Free(), s.Close(), p.Close()))
	got := d.Snapshot()
	checkMemory(t, "pinned", got.Host[gpu.Pinned], gpu.MemoryStats{Allocs: 1, Frees: 1, Failures: 1, PeakBytes: 1000})
	checkMemory(t, "mapped", got.Host[gpu.Mapped], gpu.MemoryStats{Allocs: 1, Frees: 1, PeakBytes: 500})
	checkMemory(t, "pageable", got.Host[gpu.Pageable], gpu.MemoryStats{Allocs: 1, Frees: 1, PeakBytes: 700})
	checkMemory(t, "device", got.Device, gpu.MemoryStats{Allocs: 1, Frees: 1, PeakBytes: 2000})
	if got.LockedLive != 0 || got.LockedPeak != 1500 {
		t.Errorf("page-locked: %d live, peak %d; want 0, 1500", got.LockedLive, got.LockedPeak)
	}
	want := gpu.StatsSnapshot{H2D: gpu.WorkStats{Count: 2, Bytes: 1000}, D2H: gpu.WorkStats{Count: 2, Bytes: 400},
		Fills: gpu.WorkStats{Count: 2, Bytes: 4000}, Launches: 2, Submits: 2}
	if got.H2D != want.H2D || got.D2H != want.D2H || got.D2D != want.D2D || got.Fills != want.Fills || got.Launches != 2 || got.Submits != 2 {
		t.Errorf("work: %+v, want %+v", got, want)
	}
	ok(t, d.Close())
}

// checkMemory compares the counts, and the order of the times.
func checkMemory(t *testing.T, what string, got, want gpu.MemoryStats) {
	t.Helper()
	for _, times := range []gpu.Times{got.AllocTime, got.FreeTime} {
		if times.Count != 1 || times.P50 <= 0 || times.P50 > times.P99 || times.P99 > times.Max {
			t.Errorf("%s: times %+v", what, times)
		}
	}
	got.AllocTime, got.FreeTime = gpu.Times{}, gpu.Times{}
	if got != want {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

// TestStatsPeak: the peak is that of the sum, also when many allocate at once.
func TestStatsPeak(t *testing.T) {
	d := gpu.NewStats(open(t))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if b, err := d.AllocHost(1+rand.IntN(5000), gpu.Pinned); err == nil {
					_ = b.Free()
				}
			}
		})
	}
	group.Wait()
	if s := d.Snapshot().Host[gpu.Pinned]; s.LiveBytes != 0 || s.Allocs != 400 || s.Frees != 400 || s.PeakBytes < 1 || s.PeakBytes > 8*5000 {
		t.Errorf("%+v", s)
	}
	ok(t, d.Close())
}

// TestFailNthSubmitsThePrefix: the commands before the failing one run.
func TestFailNthSubmitsThePrefix(t *testing.T) {
	d := gpu.NewFailNth(open(t), gpu.Faults{Copy: 2})
	s, err := d.NewStream()
	ok(t, err)
	b, err := d.AllocHost(8, gpu.Pinned)
	ok(t, err)
	var c gpu.Commands
	c.Fill(b.Addr(), 1, 8)
	c.Fill(b.Addr(), 2, 8)
	if err := s.Submit(&c); err == nil || !strings.Contains(err.Error(), "command 1") {
		t.Errorf("Submit = %v, want an error about command 1", err)
	}
	ok(t, s.Synchronize())
	if v := *(*byte)(b.Ptr()); v != 1 {
		t.Errorf("the memory holds %d, want what the first command wrote", v)
	}
	if n := d.Counts().Copy; n != 2 {
		t.Errorf("%d copies were counted, want 2", n)
	}
	ok(t, errors.Join(b.Free(), s.Close(), d.Close()))
}

func TestErrors(t *testing.T) {
	oom := &gpu.OutOfMemoryError{Call: "cuMemHostAlloc", Code: 2, Requested: 6_220_800, Reason: "the budget is met"}
	if got, want := oom.Error(), "cuMemHostAlloc: out of memory asking for 6220800 bytes (code 2): the budget is met"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	lost := &gpu.DeviceError{Call: "cuEventSynchronize", Code: 700, Message: "an illegal memory access", Poisoned: true}
	if !gpu.Poisoned(errors.Join(errors.New("frame 7"), lost)) || gpu.Poisoned(oom) || gpu.Poisoned(nil) {
		t.Error("Poisoned does not tell a lost context from others")
	}
}
