package encode

import (
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// clock gives the frames of an encoded stream times that a container can hold.
type clock struct {
	tb   frame.Rational
	last int64 // time stamp of the frame before, frame.NoPTS before the first
	gap  int64 // usual duration of a frame, at least 1
}

// newClock takes the frames' own time base, so that every time stamp is kept exactly, where the
// codec allows it: MPEG-1 and 2 know a list of frame rates, MPEG-4 part 2 has 16 bits for its clock.
func newClock(f *frame.Frame, codec string) clock {
	rate := f.FrameRate
	if !rate.Valid() {
		rate = fallbackRate
	}
	c := clock{tb: f.TimeBase, last: frame.NoPTS}
	old := codec == "mpeg1video" || codec == "mpeg2video" || codec == "mpeg4" && c.tb.Den > 65535
	if !c.tb.Valid() || old {
		c.tb = frame.Rational{Num: rate.Den, Den: rate.Num}
	}
	c.gap = max(1, av.Rescale(1, frame.Rational{Num: rate.Den, Den: rate.Num}, c.tb))
	return c
}

// times gives the frame's time stamp, later than the one before, and its duration. adjusted says
// that the frame's own could not be used.
func (c *clock) times(f *frame.Frame) (pts, duration int64, adjusted bool) {
	pts, duration = f.PTS, f.Duration
	if f.TimeBase.Valid() && f.TimeBase != c.tb {
		pts, duration = av.Rescale(pts, f.TimeBase, c.tb), av.Rescale(duration, f.TimeBase, c.tb)
	}
	if duration <= 0 || f.FromFields && 2*duration <= c.gap+1 { // the duration of a field
		duration = c.gap
	}
	adjusted = true
	switch {
	case pts == frame.NoPTS && c.last == frame.NoPTS:
		pts = 0
	case pts == frame.NoPTS:
		pts = c.last + c.gap
	case c.last != frame.NoPTS && pts <= c.last:
		pts = c.last + 1
	default:
		adjusted = false
	}
	c.last = pts
	return pts, duration, adjusted
}
