package gputest

import (
	"errors"
	"testing"

	"github.com/pinring/pinring/gpu"
)

// testLeaks: Close tells what is alive. It is freed afterwards, which still works.
func testLeaks(t *testing.T, open Open, module gpu.Module) {
	dev := open(t)
	r := &rig{t: t, dev: dev}
	r.host(10_000)
	r.device(20_000)
	r.newEvent(false)
	r.newStream()
	p, err := dev.Load(module)
	r.ok("load", err)
	r.undo = append(r.undo, p.Close)
	err = dev.Close()
	for _, part := range []string{"1 host buffers (10000 bytes)", "1 buffers (20000 bytes)", "1 streams", "1 events", "1 programs"} {
		if !contains(err, part) {
			t.Errorf("Close = %v, want it to tell of %q", err, part)
		}
	}
	for i := len(r.undo) - 1; i >= 0; i-- {
		r.ok("release after Close", r.undo[i]())
	}
}

// testFailNth makes each call of a small program fail in turn. Whatever fails, all that was made
// can be released, and the device closes without leaks.
func testFailNth(t *testing.T, open Open, module gpu.Module) {
	for name, faults := range map[string]func(n int64) gpu.Faults{
		"AllocHost": func(n int64) gpu.Faults { return gpu.Faults{AllocHost: n} },
		"Alloc":     func(n int64) gpu.Faults { return gpu.Faults{Alloc: n} },
		"Copy":      func(n int64) gpu.Faults { return gpu.Faults{Copy: n} },
		"Launch":    func(n int64) gpu.Faults { return gpu.Faults{Launch: n} },
		"Lasting":   func(n int64) gpu.Faults { return gpu.Faults{Copy: n, Launch: n, Lasting: true} },
	} {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for n := int64(1); ; n++ {
				dev := gpu.NewFailNth(open(t), faults(n))
				err := smallProgram(dev, module)
				if closeErr := dev.Close(); closeErr != nil {
					t.Fatalf("call %d failed with %v, and then %v", n, err, closeErr)
				}
				if err == nil {
					break
				}
				failed++
				checkInjected(t, name, err)
			}
			if failed == 0 {
				t.Error("no call failed")
			}
		})
	}
}

func checkInjected(t *testing.T, name string, err error) {
	t.Helper()
	var device *gpu.DeviceError
	switch name {
	case "AllocHost", "Alloc":
		if !errors.Is(err, gpu.ErrOutOfMemory) {
			t.Errorf("%v, want an out of memory error", err)
		}
	default:
		if !errors.As(err, &device) || device.Poisoned {
			t.Errorf("%v, want an ordinary device error", err)
		}
	}
}

// smallProgram has several of each call that can be made to fail, and cleans up.
func smallProgram(dev gpu.Device, module gpu.Module) (err error) {
	var undo []func() error
	defer func() {
		for i := len(undo) - 1; i >= 0; i-- {
			if e := undo[i](); e != nil {
				err = errors.Join(err, errors.New("release: "+e.Error()))
			}
		}
	}()
	p, err := dev.Load(module)
	if err != nil {
		return err
	}
	undo = append(undo, p.Close)
	k, err := p.Kernel("affine")
	if err != nil {
		return err
	}
	s, err := dev.NewStream()
	if err != nil {
		return err
	}
	undo = append(undo, s.Close)
	const n = 4096
	var c gpu.Commands
	for range 2 {
		h, err := dev.AllocHost(n, gpu.Pinned)
		if err != nil {
			return err
		}
		undo = append(undo, h.Free)
		b, err := dev.Alloc(n)
		if err != nil {
			return err
		}
		undo = append(undo, b.Free)
		a := uint64(b.Addr())
		c.Copy(gpu.OpCopyH2D, b.Addr(), h.Addr(), n)
		c.Launch(k, 64, 64, a, 64, a, 64, 64, 64, 1, 1)
		c.Copy(gpu.OpCopyD2H, h.Addr(), b.Addr(), n)
	}
	return errors.Join(s.Submit(&c), s.Synchronize())
}
