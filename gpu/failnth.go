package gpu

import (
	"fmt"
	"sync/atomic"
)

var _ Device = (*FailNth)(nil)

// Faults says which calls fail: the n-th, counted from 1; 0 means none. Copies and launches are
// counted over all streams, as they are submitted; fills count as copies.
type Faults struct {
	AllocHost, Alloc, Copy, Launch int64
	// Lasting makes all later calls of the kind fail, too.
	Lasting bool
}

// FailNth wraps a device and makes chosen calls fail, for tests: allocations with an
// *OutOfMemoryError, copies and launches as if the driver had refused them. Safe for concurrent
// use.
type FailNth struct {
	inner  Device
	faults Faults

	allocHost, alloc, copies, launches atomic.Int64
}

// NewFailNth wraps d, which FailNth's Close closes.
func NewFailNth(d Device, f Faults) *FailNth { return &FailNth{inner: d, faults: f} }

// Counts is how many calls there have been, in the fields of the same names.
func (d *FailNth) Counts() Faults {
	return Faults{AllocHost: d.allocHost.Load(), Alloc: d.alloc.Load(), Copy: d.copies.Load(), Launch: d.launches.Load()}
}

// hits counts a call and reports whether it is one that fails.
func (d *FailNth) hits(count *atomic.Int64, nth int64) bool {
	n := count.Add(1)
	return nth > 0 && (n == nth || d.faults.Lasting && n > nth)
}

// AllocHost fails when its turn has come.
func (d *FailNth) AllocHost(bytes int, kind HostKind) (HostBuffer, error) {
	if d.hits(&d.allocHost, d.faults.AllocHost) {
		return nil, &OutOfMemoryError{Call: "AllocHost", Code: 2, Requested: int64(bytes), Reason: "made to fail by a test"}
	}
	return d.inner.AllocHost(bytes, kind)
}

// Alloc fails when its turn has come.
func (d *FailNth) Alloc(bytes int) (Buffer, error) {
	if d.hits(&d.alloc, d.faults.Alloc) {
		return nil, &OutOfMemoryError{Call: "Alloc", Code: 2, Requested: int64(bytes), Reason: "made to fail by a test"}
	}
	return d.inner.Alloc(bytes)
}

// NewStream wraps the stream.
func (d *FailNth) NewStream() (Stream, error) {
	s, err := d.inner.NewStream()
	if err != nil {
		return nil, err
	}
	return &failingStream{inner: s, dev: d}, nil
}

// Info, MemInfo, NewEvent, Load and Close are the wrapped device's.

func (d *FailNth) Info() Info                          { return d.inner.Info() }
func (d *FailNth) MemInfo() (MemInfo, error)           { return d.inner.MemInfo() }
func (d *FailNth) NewEvent(timing bool) (Event, error) { return d.inner.NewEvent(timing) }
func (d *FailNth) Load(m Module) (Program, error)      { return d.inner.Load(m) }
func (d *FailNth) Close() error                        { return d.inner.Close() }

type failingStream struct {
	inner Stream
	dev   *FailNth
}

func (s *failingStream) Synchronize() error { return s.inner.Synchronize() }
func (s *failingStream) Close() error       { return s.inner.Close() }

// Submit hands on the commands before the one that fails, as a driver would.
func (s *failingStream) Submit(c *Commands) error {
	for i := range c.List {
		if !s.refuses(c.List[i].Op) {
			continue
		}
		if err := s.inner.Submit(c.prefix(i)); err != nil {
			return err
		}
		return fmt.Errorf("command %d: %w", i, &DeviceError{Call: "Submit", Code: 1, Message: "made to fail by a test"})
	}
	return s.inner.Submit(c)
}

func (s *failingStream) refuses(op Op) bool {
	switch op {
	case OpCopyH2D, OpCopyD2H, OpCopyD2D, OpFill:
		return s.dev.hits(&s.dev.copies, s.dev.faults.Copy)
	case OpLaunch:
		return s.dev.hits(&s.dev.launches, s.dev.faults.Launch)
	}
	return false
}

// prefix is a list of the first n commands, in the same memory.
func (c *Commands) prefix(n int) *Commands {
	return &Commands{List: c.List[:n:n], Args: c.Args, Events: c.Events}
}
