package decode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Note [Start and duration]
//
// The rules are those of FFmpeg's program for `-ss START -t DURATION -i FILE`: START counts from the
// file's start time, whatever its clock says there. Frames before it are decoded, since later ones
// refer to them, and dropped; time stamps count from START. DURATION counts from the first frame that
// is shown.
//
// FFmpeg's seek does not always end before START: in files without an index it ends at some packet,
// and what refers to pictures before it is lost; where pictures are reordered far, the key frame it
// finds is shown after START. We look at the first packet behind the seek and go further back until
// it is a key frame shown at START or before, to the beginning of the file if need be. An input that
// cannot seek is decoded from its beginning.

// span is the part of a file that is wanted. Times are in microseconds.
type span struct {
	start    int64 // 0: from the beginning
	duration int64 // 0: to the end
	begun    bool
	first    int64 // time stamp of the first frame, in the frames' time base
}

func newSpan(start, duration time.Duration) span {
	return span{start: start.Microseconds(), duration: duration.Microseconds()}
}

func (p *span) restart() { p.begun = false }

// place is where a frame lies.
type place int

const (
	before place = iota
	inside
	behind
)

// place says where the frame lies that is shown at pts, on the clock that begins at start.
func (p *span) place(pts int64, tb frame.Rational) place {
	if !p.begun {
		if p.start > 0 && (pts == frame.NoPTS || pts < 0) {
			return before
		}
		if pts != frame.NoPTS {
			p.begun, p.first = true, pts
		}
		return inside
	}
	if p.duration > 0 && pts != frame.NoPTS && pts-p.first >= max(1, av.Rescale(p.duration, av.Microseconds, tb)) {
		return behind
	}
	return inside
}

// interleaved is how far streams may lie apart in a file, in microseconds, when the end of one is
// waited for after another has ended.
const interleaved = 10 * second

// finishSpan ends the frames; packets of other streams may still be wanted.
func (s *Source) finishSpan() {
	s.state = ended
	for i, t := range s.tracks {
		if t != nil && i != s.video && t.media && !t.past {
			s.state = trailing
		}
	}
}

// within says where a packet of another stream lies. It ends the reading with the last one that belongs to
// the span.
func (s *Source) within(t *track, pts, dts int64) place {
	if at(pts, dts) == frame.NoPTS {
		return inside
	}
	when := t.toMicros(at(pts, dts))
	if s.span.duration > 0 && when >= s.span.duration {
		t.past = true
		if s.state == trailing {
			s.finishSpan()
		}
		return behind
	}
	if s.span.start > 0 && when < 0 {
		return before
	}
	return inside
}

// goToStart moves to a place in the file from which every wanted frame can be decoded. When there is
// no other, that is its beginning: the file is opened anew, to be as if nothing had been read.
func (s *Source) goToStart(ctx context.Context) error {
	if !s.maySeek() {
		return nil // it is there
	}
	if err := s.seekStart(ctx); err != nil || s.sought {
		return err
	}
	s.forgetEarly()
	s.in.Close()
	return s.openInput(ctx)
}

func (s *Source) maySeek() bool { return s.span.start > 0 && s.in.Seekable() && !s.in.NoTimes }

// seekStart looks for such a place by seeking. When it finds none, the file is left anywhere.
func (s *Source) seekStart(ctx context.Context) error {
	s.sought = false
	if !s.maySeek() {
		return nil
	}
	target := s.span.start
	if s.in.Start != frame.NoPTS {
		target += s.in.Start
	}
	for _, back := range stepsBack {
		back += s.lead()
		if back > s.span.start || s.in.SeekBefore(target-back) != nil {
			return nil
		}
		ok, err := s.landed(ctx, target)
		if err != nil {
			return err
		}
		if ok { // the packets that were looked at are read again
			if err := s.lookBack(ctx, target); err != nil {
				return err
			}
			s.sought = s.in.SeekBefore(target-back) == nil
			return nil
		}
	}
	return nil
}

// soundLead is how much of the sound before the start is passed on to decoders, in microseconds: those of
// Opus want 80 ms, others one packet or two.
const soundLead = second / 10

// lead is how much earlier than the picture the reading begins.
func (s *Source) lead() int64 {
	for i, st := range s.in.Streams {
		if st.Kind == "audio" && s.wants(i) {
			return soundLead
		}
	}
	return 0
}

// stepsBack are how far before the start a key frame is looked for, in microseconds.
var stepsBack = []int64{0, 2 * second, 10 * second, 40 * second}

// landed looks at the next packet of the video, and says whether decoding may begin with it to show
// all from target on.
func (s *Source) landed(ctx context.Context, target int64) (bool, error) {
	for {
		err := s.in.Read(ctx, s.pkt)
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case errors.Is(err, io.EOF):
			return false, nil
		case errors.Is(err, av.ErrAgain):
			if err := pause(ctx); err != nil {
				return false, err
			}
			continue
		case err != nil:
			return false, nil
		}
		mine, pts := s.pkt.Stream() == s.video, s.pkt.PTS()
		key, skipped := s.pkt.KeyFrame(), s.pkt.Skipped()
		s.pkt.Unref()
		if mine {
			tb := s.in.Streams[s.video].TimeBase
			return key && pts != frame.NoPTS && (skipped || av.Rescale(pts, tb, av.Microseconds) <= target), nil
		}
	}
}

func (s *Source) nothingInSpan() error {
	return &Error{Path: s.p.Path, What: fmt.Sprintf("has no frame at or after %v", s.p.Start), Err: ErrNothingDecoded,
		Hint: "--start is behind the end of the video"}
}
