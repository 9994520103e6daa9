//go:build linux && cgo

package cpu

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.Event = (*event)(nil)

// event is a place in a stream's sequence of marks: it is done when the stream has passed it.
type event struct {
	dev    *Device
	handle uint64
	timing bool
	closed atomic.Bool

	mu   sync.Mutex
	on   *stream // nil: never recorded
	mark uint64
	at   time.Time // when the mark was passed; timing only
}

// NewEvent makes an event.
func (d *Device) NewEvent(timing bool) (gpu.Event, error) {
	if d.closed.Load() {
		return nil, errClosed
	}
	e := &event{dev: d, timing: timing}
	d.table.addEvent(e)
	d.live.Events.Add(1)
	return e, nil
}

func (e *event) Handle() uint64 { return e.handle }

// record moves the event to a mark that the stream has not passed yet.
func (e *event) record(s *stream, mark uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.on, e.mark = s, mark
}

// passed notes the time, unless the event has been recorded anew meanwhile.
func (e *event) passed(s *stream, mark uint64) {
	if !e.timing {
		return
	}
	now := time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.on == s && e.mark == mark {
		e.at = now
	}
}

// place returns the last recording.
func (e *event) place() (*stream, uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.on, e.mark
}

func (e *event) Done() (bool, error) {
	s, mark := e.place()
	if s == nil {
		return true, nil
	}
	if !s.hasPassed(mark) {
		return false, nil
	}
	return true, s.errorAt(mark)
}

func (e *event) Synchronize() error {
	s, mark := e.place()
	if s == nil {
		return nil
	}
	s.wait(mark)
	return s.errorAt(mark)
}

// Since finds the earlier event by its handle, so that it may be a wrapped one.
func (e *event) Since(earlier gpu.Event) (time.Duration, error) {
	first := e.dev.table.event(earlier.Handle())
	if first == nil {
		return 0, fmt.Errorf("cpu device: the earlier event is closed, or of another device")
	}
	to, err := e.time()
	if err != nil {
		return 0, err
	}
	from, err := first.time()
	if err != nil {
		return 0, err
	}
	return to.Sub(from), nil
}

// time is when the event was passed.
func (e *event) time() (time.Time, error) {
	if !e.timing {
		return time.Time{}, fmt.Errorf("cpu device: the event was made without timing")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.on == nil {
		return time.Time{}, fmt.Errorf("cpu device: the event was never recorded")
	}
	if !e.on.hasPassed(e.mark) {
		return time.Time{}, fmt.Errorf("cpu device: the event is not done yet")
	}
	return e.at, nil
}

func (e *event) Close() error {
	if !e.closed.Swap(true) {
		e.dev.table.removeEvent(e.handle)
		e.dev.live.Events.Add(-1)
	}
	return nil
}
