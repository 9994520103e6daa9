package encode

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pinring/pinring/frame"
)

// Sink writes frames to one output. Write, Partial, Finish and Close belong to one goroutine at a
// time; WritePacket may be called from another, MaxHeld and Stats from any.
type Sink struct {
	name string
	w    writer

	part string // name of the partial output

	finished, closed atomic.Bool
	closing          sync.Mutex  // orders hurry and Close
	unfollow         func() bool // stops following the context of Open

	frames, bytes, packets, damaged, images, adjusted, busy, held atomic.Int64
}

// writer is one kind of output. Its methods are called one at a time, but packet, which may be called
// at any time, also after close: it does not wait for the encoder.
type writer interface {
	format(frame.PixelFormat) frame.PixelFormat
	maxHeld() int
	followsSize() bool
	write(*frame.Frame) error // owns the frame, on error too
	packet(*frame.Packet) error
	partial() string
	finish() error
	written() int64 // bytes
	hurry()         // writes that nobody takes are to fail soon; any goroutine, before close
	close()
}

// Stats are counters of an output.
type Stats struct {
	Frames          int64         // given to Write without an error
	Packets         int64         // of other streams
	Damaged         int64         // packets of other streams that could not be decoded to be converted; after Finish
	Images          int64         // complete under their names
	Bytes           int64         // written so far
	CopiedToEncoder int64         // frames whose pixels had to be copied for the encoder
	AdjustedTimes   int64         // frames whose time stamp was missing or not later than the one before
	Busy            time.Duration // time spent in Write and Finish
}

// Open gets an output ready. Nothing is left behind under the output's name unless Finish succeeds;
// images of a sequence appear one by one. Errors are *Error.
//
// After ctx has ended the sink works on, but no longer waits for ever for the reader of a pipe: a
// write of which nothing is taken for a second fails with ErrInterrupted.
func Open(ctx context.Context, p Params) (*Sink, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Sink{name: p.Output}
	w, err := s.open(p)
	if err != nil {
		return nil, writeError(p.Output, err)
	}
	s.w = w
	s.unfollow = context.AfterFunc(ctx, s.hurry)
	s.held.Store(int64(w.maxHeld()))
	return s, nil
}

func (s *Sink) open(p Params) (writer, error) {
	switch kindOf(p.Output) {
	case noOutput:
		return discard{}, nil
	case digestOutput:
		return newDigest(s, p, strings.TrimPrefix(p.Output, "md5:"))
	case y4mOutput:
		return newY4M(s, p)
	case imageOutput:
		return newImages(s, p)
	}
	return newCoded(s, p)
}

// outputKind is what an output's name says of what is written.
type outputKind int

const (
	codedOutput outputKind = iota // a container
	noOutput
	digestOutput
	y4mOutput
	imageOutput
)

func kindOf(output string) outputKind {
	switch {
	case output == "null:":
		return noOutput
	case strings.HasPrefix(output, "md5:"):
		return digestOutput
	case output == "-", strings.EqualFold(filepath.Ext(output), ".y4m"):
		return y4mOutput
	case IsImage(output):
		return imageOutput
	}
	return codedOutput
}

// Format says in which pixel format the sink wants pictures that would come in f.
func (s *Sink) Format(f frame.PixelFormat) frame.PixelFormat { return s.w.format(f) }

// MaxHeld is how many frames the sink may keep after Write has returned. It shrinks to the exact
// number when the first frame has opened the encoder. Any goroutine; it never waits for Write.
func (s *Sink) MaxHeld() int { return int(s.held.Load()) }

// FollowsSize reports whether frames may change their size and format on the way.
func (s *Sink) FollowsSize() bool { return s.w.followsSize() }

// Write takes ownership of the frame, on error too. Time stamps should rise from frame to frame.
func (s *Sink) Write(ctx context.Context, f *frame.Frame) error {
	if err := ctx.Err(); err != nil {
		f.Release()
		return err
	}
	defer s.account(time.Now())
	if s.over() {
		f.Release()
		return &Error{Output: s.name, What: "cannot be written", Err: ErrClosed}
	}
	if err := s.w.write(f); err != nil {
		return writeError(s.name, err)
	}
	s.frames.Add(1)
	s.held.Store(int64(s.w.maxHeld()))
	return nil
}

// WritePacket copies a packet of another stream into the output. It owns the packet, on error too.
// Packets of streams that Params.Copy does not name are dropped.
func (s *Sink) WritePacket(p *frame.Packet) error {
	return writeError(s.name, s.w.packet(p))
}

// hurry comes from the goroutine of a context. The lock keeps it off a writer that is closed.
func (s *Sink) hurry() {
	s.closing.Lock()
	defer s.closing.Unlock()
	if !s.closed.Load() {
		s.w.hurry()
	}
}

func (s *Sink) over() bool { return s.closed.Load() || s.finished.Load() }

// Partial makes the output appear under a name that tells that it is only a part: out.partial.mp4
// for out.mp4, or out.partial-2.mp4 when that is taken. Call it before Finish. Streams and devices
// have no name to change.
func (s *Sink) Partial() { s.part = s.w.partial() }

// Part is the name of the partial output, empty when the output is whole or has no name. Call it
// after Finish.
func (s *Sink) Part() string { return s.part }

// Finish drains the encoder, completes the output and lets it appear under its name.
func (s *Sink) Finish(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer s.account(time.Now())
	if s.over() {
		return &Error{Output: s.name, What: "cannot be finished", Err: ErrClosed}
	}
	s.finished.Store(true)
	return writeError(s.name, s.w.finish())
}

func (s *Sink) account(begun time.Time) {
	s.busy.Add(int64(time.Since(begun)))
	s.bytes.Store(max(s.bytes.Load(), s.w.written()))
}

// Close releases everything, frames that the encoder holds included. Without a Finish that
// succeeded nothing remains under the output's name. Idempotent.
func (s *Sink) Close() error {
	s.closing.Lock()
	first := s.closed.CompareAndSwap(false, true)
	s.closing.Unlock()
	if first {
		s.unfollow()
		s.w.close()
	}
	return nil
}

// Stats reads the counters.
func (s *Sink) Stats() Stats {
	return Stats{Frames: s.frames.Load(), Packets: s.packets.Load(), Damaged: s.damaged.Load(), Bytes: s.bytes.Load(),
		Images: s.images.Load(), AdjustedTimes: s.adjusted.Load(), Busy: time.Duration(s.busy.Load())}
}
