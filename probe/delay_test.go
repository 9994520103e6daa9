package probe_test

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/probe"
)

// busy is a machine on which everything takes its time: a free, a look, and what happens in it happens
// somewhere within. Memory that is freed stays in use for delay.
type busy struct {
	gpu.Device
	t          *rapid.T
	now, delay time.Duration
	until      time.Duration // the charge ends; 0: it is held
	charge     int64
	freeing    time.Duration // what the free took
}

func (b *busy) Now() time.Duration                 { return b.now }
func (b *busy) Begin(context.Context, int64) error { return nil }
func (b *busy) End(int64)                          {}
func (b *busy) Wait(_ context.Context, d time.Duration) error {
	b.now += d + b.some(20)
	return nil
}

// some is up to that many milliseconds.
func (b *busy) some(most int) time.Duration {
	return time.Duration(rapid.IntRange(0, most*1000).Draw(b.t, "us")) * time.Microsecond
}

func (b *busy) Name() string { return "slow" }

func (b *busy) Read(buf []budget.Reading) ([]budget.Reading, error) {
	b.now += b.some(300)
	if b.until != 0 && b.now >= b.until {
		b.charge = 0
	}
	buf = append(buf, budget.MakeReading(budget.DeviceLocal, 1_000_000_000+b.charge, 8_000_000_000, "slow", "nothing"))
	b.now += b.some(300)
	return buf, nil
}

func (b *busy) AllocHost(bytes int, kind gpu.HostKind) (gpu.HostBuffer, error) {
	h, err := b.Device.AllocHost(bytes, kind)
	b.charge = int64(bytes)
	return &slowBuffer{h, b}, err
}

type slowBuffer struct {
	gpu.HostBuffer
	b *busy
}

func (s *slowBuffer) Free() error {
	if b := s.b; b.until == 0 {
		began := b.now
		b.now += b.some(200)
		b.until = b.now + b.delay
		b.now += b.some(200)
		b.freeing = b.now - began
	}
	return s.HostBuffer.Free()
}

// The delay that is told holds the true one within its resolution, on a machine as busy as can be.
func TestTheDelayIsWithinItsResolution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &busy{Device: probe.Paper(), t: t, now: time.Second}
		b.delay = b.some(3000)
		r := &probe.Rig{Device: b, Meters: []budget.Meter{b}, Clock: b}
		traces, err := r.Hold(context.Background(), gpu.Pinned, 128*budget.MiB, func(probe.Step) {})
		if err != nil {
			t.Fatal(err)
		}
		x := traces[0]
		if !x.Returned || x.After+b.freeing < b.delay || x.After-x.Resolution > b.delay {
			t.Errorf("%v to %v, the free took %v, the delay is %v", x.After-x.Resolution, x.After, b.freeing, b.delay)
		}
	})
}
