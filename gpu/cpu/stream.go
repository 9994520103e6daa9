//go:build linux && cgo

package cpu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/pinring/pinring/gpu"
)

var _ gpu.Stream = (*stream)(nil)

// stream is an ordered queue of lists. Its progress is counted in marks: each recording of an
// event is one, and the end of each list.
type stream struct {
	dev    *Device
	issued atomic.Uint64 // marks handed out by Submit
	passed atomic.Uint64 // marks that the goroutine has gone by
	failed atomic.Pointer[failure]
	launch launch // of the goroutine

	mu      sync.Mutex
	moved   sync.Cond // passed has grown
	arrived sync.Cond // queue has grown, or closing
	queue   []*job
	spare   []*job
	closing bool
	ended   chan struct{}
}

// job is a list on its way. Its memory is reused.
type job struct {
	cmds  *gpu.Commands
	count int    // commands of it to run
	marks []mark // of its waits and recordings, in order
	end   uint64 // the mark of its end
}

// mark is a place in a stream.
type mark struct {
	event *event // recordings only
	on    *stream
	at    uint64
}

// failure is the first error of a stream, and the first mark behind it.
type failure struct {
	mark uint64
	err  error
}

// NewStream starts a stream.
func (d *Device) NewStream() (gpu.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed.Load() {
		return nil, errClosed
	}
	s := &stream{dev: d, ended: make(chan struct{})}
	s.moved.L, s.arrived.L = &s.mu, &s.mu
	d.streams[s] = struct{}{}
	d.live.Streams.Add(1)
	go s.work()
	return s, nil
}

// Submit checks the commands and queues those before the first that is refused.
func (s *stream) Submit(c *gpu.Commands) error {
	if f := s.failed.Load(); f != nil {
		return fmt.Errorf("cpu device: the stream has failed: %w", f.err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return fmt.Errorf("cpu device: Submit to a closed stream")
	}
	j := s.newJob(c)
	err := s.admit(j)
	j.end = s.issued.Add(1)
	s.queue = append(s.queue, j)
	s.arrived.Signal()
	return err
}

// newJob takes a spare job.
func (s *stream) newJob(c *gpu.Commands) *job {
	n := len(s.spare)
	if n == 0 {
		return &job{cmds: c}
	}
	j := s.spare[n-1]
	s.spare = s.spare[:n-1]
	j.cmds, j.count, j.marks = c, 0, j.marks[:0]
	return j
}

// admit validates the commands. Waits are bound to the recording that is the last one now, as
// cuStreamWaitEvent does it; recordings get their marks.
func (s *stream) admit(j *job) error {
	for i := range j.cmds.List {
		cmd := &j.cmds.List[i]
		if err := j.cmds.Validate(i, s.dev.info.Limits.MaxGridRows); err != nil {
			return fmt.Errorf("cpu device: command %d: %w", i, err)
		}
		if cmd.Op == gpu.OpWait || cmd.Op == gpu.OpRecord {
			e := s.dev.table.event(cmd.Handle)
			if e == nil {
				return fmt.Errorf("cpu device: command %d: the event is closed, or of another device", i)
			}
			j.marks = append(j.marks, s.bind(cmd.Op, e))
		}
		j.count++
	}
	return nil
}

func (s *stream) bind(op gpu.Op, e *event) mark {
	if op == gpu.OpWait {
		on, at := e.place()
		return mark{on: on, at: at}
	}
	m := mark{event: e, on: s, at: s.issued.Add(1)}
	e.record(s, m.at)
	return m
}

// Synchronize waits for all that has been submitted so far.
func (s *stream) Synchronize() error {
	last := s.issued.Load()
	s.wait(last)
	return s.errorAt(last)
}

func (s *stream) hasPassed(mark uint64) bool { return s.passed.Load() >= mark }

// wait blocks until the mark is passed.
func (s *stream) wait(mark uint64) {
	if s.hasPassed(mark) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.hasPassed(mark) {
		s.moved.Wait()
	}
}

// errorAt is what went wrong before the mark.
func (s *stream) errorAt(mark uint64) error {
	if f := s.failed.Load(); f != nil && f.mark <= mark {
		return f.err
	}
	return nil
}

// Close waits for what has been submitted, and ends the stream's goroutine.
func (s *stream) Close() error {
	s.stop()
	s.dev.mu.Lock()
	defer s.dev.mu.Unlock()
	if _, open := s.dev.streams[s]; open {
		delete(s.dev.streams, s)
		s.dev.live.Streams.Add(-1)
	}
	return nil
}

func (s *stream) stop() {
	s.mu.Lock()
	s.closing = true
	s.arrived.Signal()
	s.mu.Unlock()
	<-s.ended
}
