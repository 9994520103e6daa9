//go:build linux && cgo

package cpu_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/gpu/gputest"
	"github.com/pinring/pinring/gpu/gputest/testmodule"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, cores int) *cpu.Device {
	t.Helper()
	d, err := cpu.Open(cpu.Options{Cores: cores})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestConformance runs the suite with one core, where nothing is cut, and with more.
func TestConformance(t *testing.T) {
	for _, cores := range []int{1, 3} {
		t.Run(fmt.Sprintf("%d cores", cores), func(t *testing.T) {
			gputest.Run(t, func(t testing.TB) gpu.Device { return open(t, cores) }, testmodule.Module())
		})
	}
}

// TestConformanceWrapped: adaptors must not change what a device does.
func TestConformanceWrapped(t *testing.T) {
	wrap := func(t testing.TB) gpu.Device {
		return gpu.NewStats(gpu.NewFailNth(gpu.NewLimit(open(t, 2), gpu.Caps{}), gpu.Faults{}))
	}
	gputest.Run(t, wrap, testmodule.Module())
}

// TestClosedProgram: the error of running work shows at Synchronize, at events behind it, in
// streams that wait for it, and nowhere else.
func TestClosedProgram(t *testing.T) {
	d := open(t, 2)
	p, err := d.Load(testmodule.Module())
	ok(t, err)
	k, err := p.Kernel("tally")
	ok(t, err)
	ok(t, p.Close())
	bad, waits, other := stream(t, d), stream(t, d), stream(t, d)
	before, after := event(t, d), event(t, d)
	buffer, err := d.AllocHost(4096, gpu.Pinned)
	ok(t, err)
	var c, w, o gpu.Commands
	c.Record(before)
	c.Launch(k, 1, 1, uint64(buffer.Addr()), 4, 0, 0, 1, 1)
	c.Fill(buffer.Addr(), 9, 4096)
	c.Record(after)
	w.Wait(after)
	w.Fill(buffer.Addr(), 8, 4096)
	o.Wait(before)
	ok(t, bad.Submit(&c))
	ok(t, waits.Submit(&w))
	ok(t, other.Submit(&o))
	mustTell(t, "Synchronize", bad.Synchronize())
	mustTell(t, "Event.Synchronize", after.Synchronize())
	mustTell(t, "waiting stream", waits.Synchronize())
	_, err = after.Done()
	mustTell(t, "Done", err)
	mustTell(t, "Submit", bad.Submit(&o))
	ok(t, before.Synchronize())
	ok(t, other.Synchronize())
	if v := *(*byte)(buffer.Ptr()); v != 0 {
		t.Errorf("a command behind the failed one ran: the memory holds %d", v)
	}
	ok(t, errors.Join(bad.Close(), waits.Close(), other.Close(), before.Close(), after.Close(), buffer.Free(), d.Close()))
}

func mustTell(t *testing.T, what string, err error) {
	t.Helper()
	var device *gpu.DeviceError
	if !errors.As(err, &device) || device.Poisoned || !strings.Contains(err.Error(), "program is closed") {
		t.Errorf("%s = %v, want that the kernel's program is closed", what, err)
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func stream(t *testing.T, d gpu.Device) gpu.Stream {
	s, err := d.NewStream()
	ok(t, err)
	return s
}

func event(t *testing.T, d gpu.Device) gpu.Event {
	e, err := d.NewEvent(false)
	ok(t, err)
	return e
}

// TestUntouchedMemoryCostsNothing: slots that are never used must not count as resident.
func TestUntouchedMemoryCostsNothing(t *testing.T) {
	d := open(t, 1)
	const bytes = 1 << 30
	start := residentBytes(t)
	b, err := d.AllocHost(bytes, gpu.Pinned)
	ok(t, err)
	if grown := residentBytes(t) - start; grown > bytes/8 {
		t.Errorf("1 GiB of untouched memory made the process %d bytes larger", grown)
	}
	ok(t, errors.Join(b.Free(), d.Close()))
}

// residentBytes reads the second field of /proc/self/statm, pages in memory (proc(5)).
func residentBytes(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	ok(t, err)
	var size, resident int
	_, err = fmt.Sscan(string(text), &size, &resident)
	ok(t, err)
	return resident * os.Getpagesize()
}

func TestUseAfterClose(t *testing.T) {
	d := open(t, 1)
	s := stream(t, d)
	ok(t, s.Close())
	ok(t, s.Close())
	if err := s.Submit(&gpu.Commands{}); err == nil {
		t.Error("Submit to a closed stream succeeded")
	}
	ok(t, d.Close())
	if _, err := d.Alloc(1); err == nil {
		t.Error("Alloc after Close succeeded")
	}
	if _, err := d.NewStream(); err == nil {
		t.Error("NewStream after Close succeeded")
	}
}

// BenchmarkSubmit is the cost of a frame's list that does next to nothing.
func BenchmarkSubmit(b *testing.B) {
	d := open(b, 2)
	s, _ := d.NewStream()
	e, _ := d.NewEvent(false)
	m, _ := d.Alloc(4096)
	var c gpu.Commands
	b.ReportAllocs()
	for b.Loop() {
		c.Reset()
		c.Fill(m.Addr(), 1, 64)
		c.Record(e)
		_ = s.Submit(&c)
		_ = e.Synchronize()
	}
	_ = errors.Join(s.Close(), e.Close(), m.Free(), d.Close())
}

// BenchmarkLaunch runs a kernel over a 1080p plane on one core and on two.
func BenchmarkLaunch(b *testing.B) {
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("%d cores", cores), func(b *testing.B) {
			d := open(b, cores)
			p, _ := d.Load(testmodule.Module())
			k, _ := p.Kernel("affine")
			s, _ := d.NewStream()
			m, _ := d.Alloc(1920 * 1080)
			a := uint64(m.Addr())
			var c gpu.Commands
			c.Launch(k, 1920, 1080, a, 1920, a, 1920, 1920, 1080, 3, 1)
			b.SetBytes(1920 * 1080)
			for b.Loop() {
				_ = s.Submit(&c)
				_ = s.Synchronize()
			}
			_ = errors.Join(s.Close(), m.Free(), p.Close(), d.Close())
		})
	}
}
