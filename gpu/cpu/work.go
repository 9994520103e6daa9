//go:build linux && cgo

package cpu

// #include <string.h>
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// work is the stream's goroutine: lists in order, until the stream is closed and the queue empty.
func (s *stream) work() {
	defer close(s.ended)
	for {
		j := s.take()
		if j == nil {
			return
		}
		s.dev.crew.acquire()
		s.run(j)
		s.dev.crew.release()
		s.finish(j)
	}
}

// take waits for the next job, nil at the end.
func (s *stream) take() *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) == 0 && !s.closing {
		s.arrived.Wait()
	}
	if len(s.queue) == 0 {
		return nil
	}
	j := s.queue[0]
	n := copy(s.queue, s.queue[1:])
	s.queue[n] = nil
	s.queue = s.queue[:n]
	return j
}

// finish lets go of the list before its end becomes visible: the owner may then reuse it.
func (s *stream) finish(j *job) {
	end := j.end
	j.cmds = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, j)
	s.passed.Store(end)
	s.moved.Broadcast()
}

// pass makes a mark in the middle of a list visible.
func (s *stream) pass(m mark) {
	m.event.passed(s, m.at)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed.Store(m.at)
	s.moved.Broadcast()
}

// run carries the commands out. The goroutine holds a token, except while it waits.
func (s *stream) run(j *job) {
	marks := j.marks
	for i := range j.count {
		cmd := &j.cmds.List[i]
		failed := s.failed.Load() != nil
		switch {
		case cmd.Op == gpu.OpRecord:
			s.pass(marks[0])
			marks = marks[1:]
		case cmd.Op == gpu.OpWait:
			if !failed {
				s.await(i, marks[0])
			}
			marks = marks[1:]
		case failed: // skipped
		case cmd.Op == gpu.OpLaunch:
			s.runLaunch(i, j.cmds, cmd)
		case cmd.Op == gpu.OpFill:
			if cmd.Width > 0 {
				C.memset(pointer(cmd.Dst), C.int(cmd.Value), C.size_t(cmd.Width))
			}
		default:
			copyRows(cmd)
		}
	}
}

// fail remembers the first error, with the mark that comes next.
func (s *stream) fail(i int, call string, err error) {
	s.failed.CompareAndSwap(nil, &failure{mark: s.passed.Load() + 1, err: fmt.Errorf("cpu device: command %d: %s: %w", i, call, err)})
}

// await gives the core away while another stream works.
func (s *stream) await(i int, m mark) {
	if m.on == nil {
		return
	}
	if !m.on.hasPassed(m.at) {
		s.dev.crew.release()
		m.on.wait(m.at)
		s.dev.crew.acquire()
	}
	if err := m.on.errorAt(m.at); err != nil {
		s.fail(i, "wait for an event", err)
	}
}

func (s *stream) runLaunch(i int, c *gpu.Commands, cmd *gpu.Command) {
	k, ok := s.dev.table.kernel(cmd.Handle)
	if !ok {
		s.fail(i, "launch", &gpu.DeviceError{Call: "launch", Code: int(cmd.Handle), Message: "the kernel's program is closed, or of another device"})
		return
	}
	l := &s.launch
	l.fn = k.fn
	n := copy(l.args[:], c.Args[cmd.FirstArg:cmd.FirstArg+cmd.NumArgs])
	clear(l.args[n:])
	s.dev.crew.run(l, int64(cmd.Width), int64(cmd.Rows))
}

// copyRows copies in one piece where rows lie close.
func copyRows(cmd *gpu.Command) {
	width, rows := cmd.Width, cmd.Rows
	if cmd.DstPitch == width && cmd.SrcPitch == width {
		width, rows = width*rows, 1
	}
	if width == 0 {
		return
	}
	for y := range rows {
		dst := unsafe.Slice((*byte)(pointer(cmd.Dst+gpu.Addr(y*cmd.DstPitch))), width)
		copy(dst, unsafe.Slice((*byte)(pointer(cmd.Src+gpu.Addr(y*cmd.SrcPitch))), width))
	}
}

// pointer turns a command's address into a pointer. The memory is never of the Go heap.
func pointer(a gpu.Addr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&a)) }
