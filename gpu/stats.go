package gpu

import (
	"sync/atomic"

	"github.com/pinring/pinring/internal/stopwatch"
)

var _ Device = (*Stats)(nil)

// Stats wraps a device and counts what goes through it. Counting a Submit costs a look at each
// command and no allocation. Safe for concurrent use.
type Stats struct {
	inner  Device
	host   [NumHostKinds]memoryCounter
	locked gauge // over all page-locked kinds
	device memoryCounter
	ops    [OpRecord + 1]workCounter
	lists  atomic.Int64
}

// NewStats wraps d, which Stats's Close closes.
func NewStats(d Device) *Stats {
	s := &Stats{inner: d}
	for k := range s.host {
		s.host[k].init()
	}
	s.device.init()
	return s
}

// StatsSnapshot is what Stats has counted so far.
type StatsSnapshot struct {
	Host   [NumHostKinds]MemoryStats // by HostKind
	Device MemoryStats
	// LockedLive and LockedPeak are bytes over all page-locked kinds together: their peak is less
	// than the sum of the kinds' peaks when these were at different times.
	LockedLive, LockedPeak int64
	H2D, D2H, D2D, Fills   WorkStats
	Launches               int64
	Submits                int64
}

// MemoryStats is about one kind of memory.
type MemoryStats struct {
	Allocs, Frees, Failures int64
	LiveBytes, PeakBytes    int64
	AllocTime, FreeTime     Times // of the calls that succeeded
}

// WorkStats counts commands and the bytes that they move, as they were submitted.
type WorkStats struct{ Count, Bytes int64 }

// Snapshot reads the counters. Those of one field belong together only while nothing is going on.
func (s *Stats) Snapshot() StatsSnapshot {
	r := StatsSnapshot{
		Device: s.device.read(), LockedLive: s.locked.live.Load(), LockedPeak: s.locked.peak.Load(),
		H2D: s.ops[OpCopyH2D].read(), D2H: s.ops[OpCopyD2H].read(), D2D: s.ops[OpCopyD2D].read(), Fills: s.ops[OpFill].read(),
		Launches: s.ops[OpLaunch].count.Load(), Submits: s.lists.Load(),
	}
	for k := range s.host {
		r.Host[k] = s.host[k].read()
	}
	return r
}

// AllocHost counts and times the call.
func (s *Stats) AllocHost(bytes int, kind HostKind) (HostBuffer, error) {
	if int(kind) >= NumHostKinds {
		return s.inner.AllocHost(bytes, kind)
	}
	m := &s.host[kind]
	start := stopwatch.Now()
	b, err := s.inner.AllocHost(bytes, kind)
	if err != nil {
		m.failures.Add(1)
		return nil, err
	}
	m.allocated(bytes, stopwatch.Since(start))
	counted := &countedHostBuffer{inner: b, memory: m}
	if kind.Locked() {
		counted.locked = &s.locked
		s.locked.add(int64(bytes))
	}
	return counted, nil
}

// Alloc counts and times the call.
func (s *Stats) Alloc(bytes int) (Buffer, error) {
	start := stopwatch.Now()
	b, err := s.inner.Alloc(bytes)
	if err != nil {
		s.device.failures.Add(1)
		return nil, err
	}
	s.device.allocated(bytes, stopwatch.Since(start))
	return &countedBuffer{inner: b, memory: &s.device}, nil
}

// NewStream wraps the stream.
func (s *Stats) NewStream() (Stream, error) {
	inner, err := s.inner.NewStream()
	if err != nil {
		return nil, err
	}
	return &countedStream{inner: inner, stats: s}, nil
}

// Info, MemInfo, NewEvent, Load and Close are the wrapped device's.

func (s *Stats) Info() Info                          { return s.inner.Info() }
func (s *Stats) MemInfo() (MemInfo, error)           { return s.inner.MemInfo() }
func (s *Stats) NewEvent(timing bool) (Event, error) { return s.inner.NewEvent(timing) }
func (s *Stats) Load(m Module) (Program, error)      { return s.inner.Load(m) }
func (s *Stats) Close() error                        { return s.inner.Close() }

type countedStream struct {
	inner Stream
	stats *Stats
}

func (s *countedStream) Synchronize() error { return s.inner.Synchronize() }
func (s *countedStream) Close() error       { return s.inner.Close() }

// Submit counts lists that were accepted.
func (s *countedStream) Submit(c *Commands) error {
	if err := s.inner.Submit(c); err != nil {
		return err
	}
	s.stats.lists.Add(1)
	for i := range c.List {
		if cmd := &c.List[i]; int(cmd.Op) < len(s.stats.ops) {
			s.stats.ops[cmd.Op].add(int64(cmd.Width * cmd.Rows))
		}
	}
	return nil
}
