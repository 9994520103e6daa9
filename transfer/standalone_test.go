//go:build linux && cgo

package transfer_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/transfer"
)

func closeAll(t testing.TB, all ...interface{ Close() error }) {
	t.Helper()
	for _, x := range all {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Pictures go up and come back through two rings, many more than there are slots. Each comes back as
// it was, and nothing is allocated after the start.
func TestRingAlone(t *testing.T) {
	const slots, size, rounds = 3, 10_000, 100
	dev := open(t)
	rings := [2]*transfer.Ring{}
	limit := transfer.NewCap(2 * slots * 12288)
	for i := range rings {
		r, err := transfer.NewRing(dev, transfer.RingParams{Slots: slots, SlotBytes: size, Cap: limit, Poison: true})
		if err != nil {
			t.Fatal(err)
		}
		rings[i] = r
	}
	up, down := rings[0], rings[1]
	stream, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	mem, err := dev.Alloc(size)
	if err != nil {
		t.Fatal(err)
	}
	var cmds [slots]gpu.Commands
	var events [slots]gpu.Event
	for i := range events {
		if events[i], err = dev.NewEvent(false); err != nil {
			t.Fatal(err)
		}
	}
	type result struct {
		slot  *transfer.Slot
		event gpu.Event
		value byte
	}
	results := make(chan result, slots)
	checked := make(chan struct{})
	go func() {
		defer close(checked)
		for r := range results {
			if err := r.event.Synchronize(); err != nil {
				t.Error(err)
			}
			for i, v := range r.slot.Data()[:size] {
				if v != r.value+byte(i) {
					t.Errorf("picture %d: byte %d is %d", r.value, i, v)
					break
				}
			}
			r.slot.Release()
		}
	}()
	for n := range rounds {
		b, err := down.Acquire(context.Background()) // not before its last result was looked at
		if err != nil {
			t.Fatal(err)
		}
		a, err := up.Acquire(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Data()[:size] {
			a.Data()[i] = byte(n + i)
		}
		c, e := &cmds[n%slots], events[n%slots]
		if err := e.Synchronize(); err != nil {
			t.Fatal(err)
		}
		c.Reset()
		c.Copy(gpu.OpCopyH2D, mem.Addr(), a.Addr(), size)
		c.Copy(gpu.OpCopyD2H, b.Addr(), mem.Addr(), size)
		c.Record(e)
		if err := stream.Submit(c); err != nil {
			t.Fatal(err)
		}
		a.ReleaseAfter(e)
		results <- result{b, e, byte(n)}
	}
	close(results)
	<-checked
	for _, r := range rings {
		if s := r.Stats(); s.Allocs != slots || s.Frees != 0 || s.SlotBytes != 12288 || r.Len() != slots {
			t.Errorf("%+v", s)
		}
		closeAll(t, r, r)
		if s := r.Stats(); s.Frees != slots || s.Slots != 0 {
			t.Errorf("after Close: %+v", s)
		}
	}
	if err := mem.Free(); err != nil {
		t.Error(err)
	}
	closeAll(t, stream, events[0], events[1], events[2])
}

func TestRingAloneRefusals(t *testing.T) {
	dev := open(t)
	for _, p := range []transfer.RingParams{{}, {Slots: 1}, {SlotBytes: 1}, {Slots: -1, SlotBytes: 1}} {
		if r, err := transfer.NewRing(dev, p); err == nil {
			t.Errorf("%+v is accepted", p)
			r.Close()
		}
	}
	limit := transfer.NewCap(3 * 4096)
	if _, err := transfer.NewRing(dev, transfer.RingParams{Slots: 4, SlotBytes: 1, Cap: limit}); !errors.Is(err, transfer.ErrCap) {
		t.Errorf("beyond the cap: %v", err)
	}
	// Nothing stayed allocated: the cap has room for three.
	r, err := transfer.NewRing(dev, transfer.RingParams{Slots: 3, SlotBytes: 1, Cap: limit})
	if err != nil {
		t.Fatal(err)
	}
	closeAll(t, r)
	for n := range int64(3) {
		failing := gpu.NewFailNth(dev, gpu.Faults{AllocHost: n + 1})
		if _, err := transfer.NewRing(failing, transfer.RingParams{Slots: 3, SlotBytes: 1}); !errors.Is(err, gpu.ErrOutOfMemory) {
			t.Errorf("allocation %d fails: %v", n+1, err)
		}
	}
}

// A slot that somebody still has is reported and not freed; waiting for one can be cancelled.
func TestRingAloneInUse(t *testing.T) {
	dev := open(t)
	r, err := transfer.NewRing(dev, transfer.RingParams{Slots: 1, SlotBytes: 5000, Kind: gpu.WriteCombined})
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := r.Acquire(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second slot of one: %v", err)
	}
	if err := r.Close(); err == nil {
		t.Error("a slot in use is not reported")
	}
	s.Data()[4999] = 1 // still there
	s.Release()
	closeAll(t, r)
	if st := r.Stats(); st.Frees != 1 {
		t.Errorf("%+v", st)
	}
}
