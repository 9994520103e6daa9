package gputest

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/pinring/pinring/gpu"
)

// churned is what kernel churn makes of v in n steps.
func churned(v uint32, n int) uint32 {
	for range n {
		v = v*1664525 + 1013904223
	}
	return v
}

// slow is work that takes long enough for a missing dependency to show.
type slow struct {
	cols, rows, steps int
}

var slowWork = slow{cols: 128, rows: 64, steps: 5_000}

func (s slow) bytes() int { return s.cols * s.rows * 4 }

func (s slow) launch(c *gpu.Commands, k gpu.Kernel, at gpu.Addr) {
	c.Launch(k, s.cols, s.rows, uint64(at), uint64(s.cols*4), 0, 0, uint64(s.cols), uint64(s.rows), uint64(s.steps))
}

// testOrder mixes commands that only give the right result in order.
func testOrder(r *rig) {
	b := r.temporary(slowWork.bytes())
	defer b.free(r)
	second := r.device(slowWork.bytes())
	k := r.kernel("churn")
	r.do(func(c *gpu.Commands) {
		c.Fill(b.dev.Addr(), 0, slowWork.bytes())
		slowWork.launch(c, k, b.dev.Addr())
		c.Copy(gpu.OpCopyD2D, second.Addr(), b.dev.Addr(), slowWork.bytes())
		c.Fill(b.dev.Addr(), 0xFF, slowWork.bytes())
		slowWork.launch(c, k, second.Addr())
		c.Copy(gpu.OpCopyD2H, b.host.Addr(), second.Addr(), slowWork.bytes())
		c.Fill(second.Addr(), 0xFF, slowWork.bytes())
	})
	r.mustAllBe(b.host, churned(0, 2*slowWork.steps))
}

func (r *rig) mustAllBe(b gpu.HostBuffer, want uint32) {
	r.t.Helper()
	for i, v := range words(b) {
		if v != want {
			r.t.Fatalf("word %d is %#x, want %#x", i, v, want)
		}
	}
}

// testWaitAcrossStreams reads on one stream what another writes slowly. The wait is bound to the
// recording before it, not to a later one of the same event.
func testWaitAcrossStreams(r *rig) {
	b := r.temporary(slowWork.bytes())
	defer b.free(r)
	reader := r.newStream()
	written, read := r.newEvent(false), r.newEvent(false)
	k := r.kernel("churn")
	var produce, consume gpu.Commands
	produce.Fill(b.dev.Addr(), 0, slowWork.bytes())
	slowWork.launch(&produce, k, b.dev.Addr())
	produce.Record(written)
	consume.Wait(written)
	consume.Copy(gpu.OpCopyD2H, b.host.Addr(), b.dev.Addr(), slowWork.bytes())
	consume.Record(read)
	for range 5 {
		clear(bytes(b.host))
		r.ok("submit", r.stream.Submit(&produce))
		r.ok("submit", reader.Submit(&consume))
		var again gpu.Commands
		again.Wait(read) // or the writer would overwrite what is still being read
		slowWork.launch(&again, k, b.dev.Addr())
		again.Record(written)
		r.ok("submit", r.stream.Submit(&again))
		r.ok("wait for the reader", read.Synchronize())
		r.mustAllBe(b.host, churned(0, slowWork.steps))
		r.ok("wait for the writer", written.Synchronize())
	}
}

func testEventNeverRecorded(r *rig) {
	e, other := r.newEvent(true), r.newEvent(true)
	done, err := e.Done()
	if !done || err != nil {
		r.t.Errorf("Done = %v, %v, want true", done, err)
	}
	r.ok("Synchronize", e.Synchronize())
	if _, err := e.Since(other); err == nil {
		r.t.Error("Since of events that were never recorded gave a time")
	}
	r.do(func(c *gpu.Commands) { c.Wait(e) }) // does not hold the stream
	if e.Handle() == 0 || e.Handle() == other.Handle() {
		r.t.Errorf("handles %#x and %#x", e.Handle(), other.Handle())
	}
	r.ok("close", e.Close())
	r.ok("close again", e.Close())
}

// testEventTiming: times grow along a stream.
func testEventTiming(r *rig) {
	buffer := r.device(slowWork.bytes())
	k := r.kernel("churn")
	marks := []gpu.Event{r.newEvent(true), r.newEvent(true), r.newEvent(true), r.newEvent(true)}
	plain := r.newEvent(false)
	r.do(func(c *gpu.Commands) {
		for _, m := range marks {
			c.Record(m)
			slowWork.launch(c, k, buffer.Addr())
		}
		c.Record(plain)
	})
	for i := range marks[1:] {
		d, err := marks[i+1].Since(marks[i])
		r.ok("Since", err)
		if d <= 0 {
			r.t.Errorf("the kernel between mark %d and %d took %v", i, i+1, d)
		}
		back, err := marks[i].Since(marks[i+1])
		r.ok("Since, backwards", err)
		if back >= 0 {
			r.t.Errorf("from mark %d back to %d it is %v", i+1, i, back)
		}
	}
	if _, err := plain.Since(marks[0]); err == nil {
		r.t.Error("Since of an event without timing gave a time")
	}
}

// testEventDone: false while the work before it runs, true after Synchronize. Since the work may
// be quicker than the question, only the end is certain.
func testEventDone(r *rig) {
	buffer := r.device(slowWork.bytes())
	k := r.kernel("churn")
	e := r.newEvent(false)
	var c gpu.Commands
	for range 4 {
		slowWork.launch(&c, k, buffer.Addr())
	}
	c.Record(e)
	r.ok("submit", r.stream.Submit(&c))
	_, err := e.Done()
	r.ok("Done", err)
	r.ok("Synchronize", e.Synchronize())
	done, err := e.Done()
	if !done || err != nil {
		r.t.Errorf("Done after Synchronize = %v, %v", done, err)
	}
}

// testRefusals: a bad command is refused with its number, those before it run, and the stream
// works on.
func testRefusals(r *rig) {
	b := r.temporary(4096)
	defer b.free(r)
	affine := r.kernel("affine")
	a := b.dev.Addr()
	tooMany := make([]uint64, gpu.MaxArgs+1)
	for name, bad := range map[string]func(c *gpu.Commands){
		"too many arguments": func(c *gpu.Commands) { c.Launch(affine, 1, 1, tooMany...) },
		"no columns":         func(c *gpu.Commands) { c.Launch(affine, 0, 1) },
		"no rows":            func(c *gpu.Commands) { c.Launch(affine, 1, 0) },
		"too many rows":      func(c *gpu.Commands) { c.Launch(affine, 1, r.dev.Info().Limits.MaxGridRows+1) },
		"no kernel":          func(c *gpu.Commands) { c.Launch(gpu.Kernel{}, 1, 1) },
		"overlapping rows":   func(c *gpu.Commands) { c.Copy2D(gpu.OpCopyD2D, a+2048, 10, a, 20, 20, 2) },
		"no destination":     func(c *gpu.Commands) { c.Copy(gpu.OpCopyH2D, 0, b.host.Addr(), 8) },
		"unknown command":    func(c *gpu.Commands) { c.List = append(c.List, gpu.Command{Op: 77}) },
		"missing arguments": func(c *gpu.Commands) {
			c.List = append(c.List, gpu.Command{Op: gpu.OpLaunch, Handle: affine.Handle, Width: 1, Rows: 1, NumArgs: 3})
		},
	} {
		fill(bytes(b.host), 0)
		var c gpu.Commands
		c.Fill(a, 0x77, 4096)
		c.Copy(gpu.OpCopyD2H, b.host.Addr(), a, 4096)
		bad(&c)
		c.Fill(a, 0x11, 4096)
		if err := r.stream.Submit(&c); !contains(err, "command 2") {
			r.t.Errorf("%s: Submit = %v, want an error about command 2", name, err)
		}
		r.ok(name+": synchronize", r.stream.Synchronize())
		if v := bytes(b.host)[4095]; v != 0x77 {
			r.t.Errorf("%s: the commands before it did not run: %#x", name, v)
		}
	}
	r.do(func(c *gpu.Commands) { c.Copy(gpu.OpCopyD2H, b.host.Addr(), a, 4096) })
	if v := bytes(b.host)[0]; v != 0x77 {
		r.t.Errorf("a command after a refused one ran: %#x", v)
	}
}

// testManyGoroutines gives each goroutine a stream, and allocates and frees meanwhile.
func testManyGoroutines(r *rig) {
	k := r.kernel("affine")
	var group sync.WaitGroup
	failures := make(chan error, 16)
	for g := range cap(failures) {
		group.Go(func() { failures <- worker(r.dev, k, uint64(g)) })
	}
	group.Wait()
	close(failures)
	for err := range failures {
		if err != nil {
			r.t.Error(err)
		}
	}
}

// worker does the round trip of a frame many times on a stream of its own.
func worker(dev gpu.Device, k gpu.Kernel, seed uint64) (err error) {
	var undo []func() error
	defer func() {
		for _, f := range slices.Backward(undo) {
			err = errors.Join(err, f())
		}
	}()
	stream, err := dev.NewStream()
	if err != nil {
		return err
	}
	undo = append(undo, stream.Close)
	done, err := dev.NewEvent(false)
	if err != nil {
		return err
	}
	undo = append(undo, done.Close)
	for i := range 20 {
		if err := roundTrip(dev, stream, done, k, 1+int(seed)*7+i, seed+uint64(i)); err != nil {
			return err
		}
	}
	return nil
}

// roundTrip copies up, computes, copies down, and compares.
func roundTrip(dev gpu.Device, s gpu.Stream, done gpu.Event, k gpu.Kernel, rows int, seed uint64) (err error) {
	const cols = 333
	n := cols * rows
	host, err := dev.AllocHost(n, gpu.Pinned)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, host.Free()) }()
	b, err := dev.Alloc(n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Free()) }()
	noise(bytes(host), seed)
	want := slices.Clone(bytes(host))
	var c gpu.Commands
	c.Copy(gpu.OpCopyH2D, b.Addr(), host.Addr(), n)
	c.Launch(k, cols, rows, uint64(b.Addr()), cols, uint64(b.Addr()), cols, cols, uint64(rows), 3, 1)
	c.Copy(gpu.OpCopyD2H, host.Addr(), b.Addr(), n)
	c.Record(done)
	if err := errors.Join(s.Submit(&c), done.Synchronize()); err != nil {
		return err
	}
	for i, v := range want {
		if got := bytes(host)[i]; got != v*3+1 {
			return errors.New(sprintf("worker %d: byte %d is %d, want %d", seed, i, got, v*3+1))
		}
	}
	return nil
}

// testSubmitAllocatesNothing: a frame's list is handed over without a Go allocation.
func testSubmitAllocatesNothing(r *rig) {
	b := r.temporary(64 << 10)
	defer b.free(r)
	k := r.kernel("affine")
	e := r.newEvent(false)
	var c gpu.Commands
	a := uint64(b.dev.Addr())
	frame := func() {
		c.Reset()
		b.up(&c)
		c.Fill(b.dev.Addr(), 1, 100)
		c.Launch(k, 256, 256, a, 256, a, 256, 256, 256, 3, 1)
		b.down(&c)
		c.Record(e)
		c.Wait(e)
		if err := errors.Join(r.stream.Submit(&c), e.Synchronize(), r.stream.Synchronize()); err != nil {
			r.t.Error(err)
		}
	}
	frame()
	if n := testing.AllocsPerRun(200, frame); n != 0 {
		r.t.Errorf("%v allocations for each frame", n)
	}
}
