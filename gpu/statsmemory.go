package gpu

import (
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/pinring/pinring/internal/stopwatch"
)

// Times summarises how long calls took.
type Times struct {
	Count         int64
	P50, P99, Max time.Duration
	Total         time.Duration
}

// gauge is a number of bytes in use and its maximum.
type gauge struct{ live, peak atomic.Int64 }

func (g *gauge) add(bytes int64) {
	now := g.live.Add(bytes)
	for peak := g.peak.Load(); now > peak; peak = g.peak.Load() {
		if g.peak.CompareAndSwap(peak, now) {
			return
		}
	}
}

// memoryCounter counts one kind of memory.
type memoryCounter struct {
	allocs, frees, failures atomic.Int64
	bytes                   gauge
	allocTime, freeTime     durations
}

func (m *memoryCounter) init() {
	m.allocTime.init()
	m.freeTime.init()
}

func (m *memoryCounter) allocated(bytes int, took time.Duration) {
	m.allocs.Add(1)
	m.bytes.add(int64(bytes))
	m.allocTime.add(took)
}

func (m *memoryCounter) freed(bytes int, took time.Duration) {
	m.frees.Add(1)
	m.bytes.add(-int64(bytes))
	m.freeTime.add(took)
}

func (m *memoryCounter) read() MemoryStats {
	return MemoryStats{
		Allocs: m.allocs.Load(), Frees: m.frees.Load(), Failures: m.failures.Load(),
		LiveBytes: m.bytes.live.Load(), PeakBytes: m.bytes.peak.Load(),
		AllocTime: m.allocTime.read(), FreeTime: m.freeTime.read(),
	}
}

// durations is a histogram with two significant digits, up to an hour.
type durations struct {
	mu    sync.Mutex
	h     *hdrhistogram.Histogram
	total time.Duration
}

const longest = int64(time.Hour)

func (d *durations) init() { d.h = hdrhistogram.New(1, longest, 2) }

func (d *durations) add(t time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total += t
	_ = d.h.RecordValue(min(max(int64(t), 1), longest)) // within the range, so it cannot fail
}

func (d *durations) read() Times {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Times{
		Count: d.h.TotalCount(),
		P50:   time.Duration(d.h.ValueAtQuantile(50)),
		P99:   time.Duration(d.h.ValueAtQuantile(99)),
		Max:   time.Duration(d.h.Max()),
		Total: d.total,
	}
}

// workCounter counts one sort of command.
type workCounter struct{ count, bytes atomic.Int64 }

func (w *workCounter) add(bytes int64) {
	w.count.Add(1)
	w.bytes.Add(bytes)
}

func (w *workCounter) read() WorkStats { return WorkStats{w.count.Load(), w.bytes.Load()} }

// countedBuffer counts its free.
type countedBuffer struct {
	inner  Buffer
	memory *memoryCounter
	freed  atomic.Bool
}

func (b *countedBuffer) Addr() Addr { return b.inner.Addr() }
func (b *countedBuffer) Bytes() int { return b.inner.Bytes() }

func (b *countedBuffer) Free() error {
	start := stopwatch.Now()
	if err := b.inner.Free(); err != nil {
		return err
	}
	if !b.freed.Swap(true) {
		b.memory.freed(b.Bytes(), stopwatch.Since(start))
	}
	return nil
}

// countedHostBuffer counts its free.
type countedHostBuffer struct {
	inner  HostBuffer
	memory *memoryCounter
	locked *gauge // nil when the kind is not page-locked
	freed  atomic.Bool
}

func (b *countedHostBuffer) Addr() Addr          { return b.inner.Addr() }
func (b *countedHostBuffer) Bytes() int          { return b.inner.Bytes() }
func (b *countedHostBuffer) Ptr() unsafe.Pointer { return b.inner.Ptr() }
func (b *countedHostBuffer) Kind() HostKind      { return b.inner.Kind() }
func (b *countedHostBuffer) DeviceAddr() Addr    { return b.inner.DeviceAddr() }

func (b *countedHostBuffer) Free() error {
	start := stopwatch.Now()
	if err := b.inner.Free(); err != nil {
		return err
	}
	if b.freed.Swap(true) {
		return nil
	}
	b.memory.freed(b.Bytes(), stopwatch.Since(start))
	if b.locked != nil {
		b.locked.add(-int64(b.Bytes()))
	}
	return nil
}
