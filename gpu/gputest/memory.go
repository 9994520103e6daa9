package gputest

import (
	"errors"
	"slices"

	"github.com/pinring/pinring/gpu"
)

// hostKinds are all kinds of host memory.
var hostKinds = []gpu.HostKind{gpu.Pinned, gpu.Pageable, gpu.Registered, gpu.Mapped, gpu.Managed, gpu.WriteCombined}

func testInfo(r *rig) {
	i := r.dev.Info()
	if i.Kind == "" || i.Name == "" || i.MultiProcessors < 1 {
		r.t.Errorf("kind, name or processors are missing: %+v", i)
	}
	if i.Limits.HostAlign < 4096 || i.Limits.DeviceAlign < 256 || i.Limits.MaxGridRows < 16384 {
		r.t.Errorf("limits are below the contract: %+v", i.Limits)
	}
	if i.Kind == gpu.CUDA && (i.UUID == "" || i.PCI == "" || i.DriverAPI == 0 || i.ComputeMajor == 0) {
		r.t.Errorf("a CUDA device must be identified: %+v", i)
	}
	r.t.Logf("%+v", i)
}

func testMemInfo(r *rig) {
	m, err := r.dev.MemInfo()
	r.ok("MemInfo", err)
	if m.Free <= 0 || m.Total <= 0 || m.Free > m.Total {
		r.t.Errorf("MemInfo = %+v", m)
	}
}

// allocKind skips kinds that the device does not have, and nothing else.
func (r *rig) allocKind(bytes int, k gpu.HostKind) gpu.HostBuffer {
	r.t.Helper()
	b, err := r.dev.AllocHost(bytes, k)
	if errors.Is(err, gpu.ErrUnsupported) {
		r.t.Logf("%v: %v", k, err)
		return nil
	}
	r.ok(k.String(), err)
	r.undo = append(r.undo, b.Free)
	return b
}

func testAlignment(r *rig) {
	for _, n := range []int{1, 4095, 4096, 4097, 1_000_003} {
		for _, k := range hostKinds {
			b := r.allocKind(n, k)
			if b == nil {
				continue
			}
			if uintptr(b.Ptr())%4096 != 0 || b.Bytes() != n || b.Kind() != k {
				r.t.Errorf("%v, %d bytes: address %p, %d bytes, kind %v", k, n, b.Ptr(), b.Bytes(), b.Kind())
			}
			noise(bytes(b), uint64(n)) // every byte of it is ours
		}
		if b := r.device(n); b.Addr()%256 != 0 || b.Bytes() != n {
			r.t.Errorf("device memory, %d bytes: address %#x, %d bytes", n, b.Addr(), b.Bytes())
		}
	}
}

func testFreeTwice(r *rig) {
	for _, k := range hostKinds {
		if b := r.allocKind(10_000, k); b != nil {
			r.ok("free", b.Free())
			r.ok("free again", b.Free())
		}
	}
	b := r.device(10_000)
	r.ok("free", b.Free())
	r.ok("free again", b.Free())
}

// testOutOfMemory leaves managed memory out: a driver promises any amount of it and may hang when
// it has to keep the promise.
func testOutOfMemory(r *rig) {
	const absurd = 1 << 60
	for _, k := range hostKinds {
		if k != gpu.Managed {
			_, err := r.dev.AllocHost(absurd, k)
			r.mustBeOOM(k.String(), err, absurd)
		}
	}
	_, err := r.dev.Alloc(absurd)
	r.mustBeOOM("device memory", err, absurd)
	if r.dev.Info().Unified {
		return
	}
	m, err := r.dev.MemInfo()
	r.ok("MemInfo", err)
	_, err = r.dev.Alloc(int(m.Total) + 1<<20)
	r.mustBeOOM("more than the card has", err, m.Total+1<<20)
	r.ok("the device works on", r.device(1<<20).Free())
}

func (r *rig) mustBeOOM(what string, err error, bytes int64) {
	r.t.Helper()
	if errors.Is(err, gpu.ErrUnsupported) {
		return
	}
	var oom *gpu.OutOfMemoryError
	if !errors.As(err, &oom) || !errors.Is(err, gpu.ErrOutOfMemory) {
		r.t.Errorf("%s: %v, want an out of memory error", what, err)
		return
	}
	if oom.Requested != bytes || oom.Call == "" {
		r.t.Errorf("%s: %+v, want the call and %d bytes", what, oom, bytes)
	}
}

func testBadSizes(r *rig) {
	for _, n := range []int{0, -1} {
		if _, err := r.dev.AllocHost(n, gpu.Pinned); err == nil || errors.Is(err, gpu.ErrOutOfMemory) {
			r.t.Errorf("AllocHost(%d) = %v, want an error that is not out of memory", n, err)
		}
		if _, err := r.dev.Alloc(n); err == nil || errors.Is(err, gpu.ErrOutOfMemory) {
			r.t.Errorf("Alloc(%d) = %v, want an error that is not out of memory", n, err)
		}
	}
	if _, err := r.dev.AllocHost(4096, gpu.HostKind(200)); !errors.Is(err, gpu.ErrUnsupported) {
		r.t.Errorf("AllocHost of an unknown kind = %v, want ErrUnsupported", err)
	}
}

// testHostKinds copies through each kind, and lets a kernel work in those that it can see.
func testHostKinds(r *rig) {
	const n = 100_001
	mid := r.device(n)
	for _, k := range hostKinds {
		src, dst := r.allocKind(n, k), r.allocKind(n, k)
		if src == nil || dst == nil {
			continue
		}
		noise(bytes(src), uint64(k)+1)
		clear(bytes(dst))
		want := slices.Clone(bytes(src))
		r.do(func(c *gpu.Commands) {
			c.Copy(gpu.OpCopyH2D, mid.Addr(), src.Addr(), n)
			c.Copy(gpu.OpCopyD2H, dst.Addr(), mid.Addr(), n)
		})
		if i := firstDifference(bytes(dst), want); i >= 0 {
			r.t.Errorf("%v: byte %d is %d, want %d", k, i, bytes(dst)[i], want[i])
		}
		r.inPlace(dst, want)
	}
}

// inPlace runs a kernel on host memory where it lies.
func (r *rig) inPlace(b gpu.HostBuffer, was []byte) {
	r.t.Helper()
	visible := r.dev.Info().Unified || b.Kind() == gpu.Mapped || b.Kind() == gpu.Managed
	if visible != (b.DeviceAddr() != 0) {
		r.t.Errorf("%v: DeviceAddr is %#x", b.Kind(), b.DeviceAddr())
	}
	if !visible {
		return
	}
	a, n := uint64(b.DeviceAddr()), uint64(b.Bytes())
	affine := r.kernel("affine")
	r.do(func(c *gpu.Commands) { c.Launch(affine, b.Bytes(), 1, a, n, a, n, n, 1, 3, 7) })
	for i, v := range was {
		if want := v*3 + 7; bytes(b)[i] != want {
			r.t.Errorf("%v: a kernel made byte %d %d, want %d", b.Kind(), i, bytes(b)[i], want)
			return
		}
	}
}
