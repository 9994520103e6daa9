package decode

import (
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Note [Time stamps]
//
// Files leave time stamps out, repeat them, wrap them, jump, or begin at any value. People compare
// our output with that of FFmpeg's program, so the same rules apply here (fftools/ffmpeg.c of
// FFmpeg 5.1, without -copyts):
//
//   - The file begins at 0: its start time is taken off every time stamp.
//   - A decoding time stamp that is missing is the last one plus the last duration; the decoder
//     uses it to guess presentation time stamps that are missing.
//   - In containers whose clock may jump (MPEG-TS), a jump of more than ten seconds, or backwards,
//     is taken for a new clock and closed.
//   - Elsewhere a time stamp more than thirty hours from where it should be is not believed.

const (
	second        = 1_000_000 // all sums below are in microseconds
	jumpThreshold = 10 * second
	errThreshold  = 3600 * 30 * second
)

// clock is what the streams of a file share.
type clock struct {
	offset int64 // added to every time stamp
	start  int64 // of the file, frame.NoPTS when unknown
	last   int64 // the last decoding time stamp of any stream
	jumps  bool  // the container's clock may jump
	// beginning is where the file begins on this clock, when it is read from there and has no time
	// stamps.
	beginning int64
	// earliest is the first time stamp of the streams that are read, frame.NoPTS when unknown. A
	// stream that is not read must not decide where the file begins.
	earliest int64
}

// newClock makes the clock of a file of which the part behind start, in microseconds, is wanted.
func newClock(in *av.Input, read func(int) bool, start int64) *clock {
	c := &clock{offset: -start, start: in.Start, last: frame.NoPTS, jumps: in.Jumps, earliest: frame.NoPTS}
	if c.start != frame.NoPTS {
		c.offset -= c.start
	}
	for i, s := range in.Streams {
		if !read(i) || s.Start == frame.NoPTS {
			continue
		}
		t := av.Rescale(s.Start, s.TimeBase, av.Microseconds)
		if c.earliest == frame.NoPTS || t < c.earliest {
			c.earliest = t
		}
	}
	return c
}

// track follows one stream.
type track struct {
	c        *clock
	tb       frame.Rational
	wrapBits int
	decoded  bool // decoded here, not passed through
	media    bool // audio or video: the clock may be corrected by it
	subtitle bool
	sound    bool
	lead     int64 // how far coding order is ahead of presentation order
	past     bool  // not decoded: the end of the span was reached

	begun, unwrapped           bool
	dts, pts, nextDTS, nextPTS int64
	drained                    []int64 // decoding times for frames that come out while draining
}

func newTrack(c *clock, s *Stream, decoded bool) *track {
	t := &track{c: c, tb: s.TimeBase, wrapBits: s.WrapBits(), decoded: decoded,
		media: s.Kind == "video" || s.Kind == "audio", subtitle: s.Kind == "subtitle", sound: s.Kind == "audio", nextDTS: frame.NoPTS, nextPTS: frame.NoPTS}
	if decoded && s.AverageRate.Num != 0 {
		t.lead = int64(float64(s.Delay()*second) / s.AverageRate.Float())
	}
	return t
}

func (t *track) toMicros(v int64) int64 { return av.Rescale(v, t.tb, av.Microseconds) }

func (t *track) fromMicros(v int64) int64 { return av.Rescale(v, av.Microseconds, t.tb) }

func (t *track) shift(v, micros int64) int64 {
	if v == frame.NoPTS {
		return v
	}
	return v + av.Rescale(micros, av.Microseconds, t.tb)
}

// arrive corrects a packet's time stamps.
func (t *track) arrive(pts, dts int64) (int64, int64) {
	pts, dts = t.unwrap(pts, dts)
	pts, dts = t.shift(pts, t.c.offset), t.shift(dts, t.c.offset)
	if t.media {
		pts, dts = t.closeJump(pts, dts)
	}
	if dts != frame.NoPTS {
		t.c.last = t.toMicros(dts)
	}
	t.begin(pts, dts)
	return pts, dts
}

// unwrap undoes the overflow of a clock of few bits that began just before it.
func (t *track) unwrap(pts, dts int64) (int64, int64) {
	c := t.c
	if t.unwrapped || c.start == frame.NoPTS || t.wrapBits >= 64 {
		return pts, dts
	}
	if t.nextDTS == frame.NoPTS && c.offset == -c.start && c.jumps && c.earliest > c.start {
		c.offset = -c.earliest
	}
	t.unwrapped = true
	if t.wrapBits >= 63 || t.wrapBits < 1 {
		return pts, dts
	}
	limit := av.Rescale(c.start, av.Microseconds, t.tb) + 1<<(t.wrapBits-1)
	for _, v := range []*int64{&pts, &dts} {
		if *v != frame.NoPTS && *v > limit {
			*v -= 1 << t.wrapBits
			t.unwrapped = false
		}
	}
	return pts, dts
}

func (t *track) closeJump(pts, dts int64) (int64, int64) {
	at := t.toMicros(dts)
	if dts == frame.NoPTS {
		return pts, dts
	}
	c := t.c
	if t.nextDTS == frame.NoPTS {
		if delta := at - c.last; c.jumps && c.last != frame.NoPTS && abs(delta) > jumpThreshold {
			c.offset -= delta
			return t.shift(pts, -delta), t.shift(dts, -delta)
		}
		return pts, dts
	}
	delta := at - t.nextDTS
	if c.jumps {
		if abs(delta) > jumpThreshold || at+second/10 < max(t.pts, t.dts) {
			c.offset -= delta
			return t.shift(pts, -delta), t.shift(dts, -delta)
		}
		return pts, dts
	}
	if abs(delta) > errThreshold {
		dts = frame.NoPTS
	}
	if pts != frame.NoPTS && abs(t.toMicros(pts)-t.nextDTS) > errThreshold {
		pts = frame.NoPTS
	}
	return pts, dts
}

// begin moves the stream's clock to the packet.
func (t *track) begin(pts, dts int64) {
	if !t.begun {
		t.begun = true
		t.dts, t.pts = t.c.beginning-t.lead, t.c.beginning
		if !t.decoded && pts != frame.NoPTS {
			t.dts += t.toMicros(pts)
			t.pts = t.dts
		}
	}
	t.settle()
	if dts != frame.NoPTS {
		t.dts = t.toMicros(dts)
		t.nextDTS = t.dts
		if !t.decoded {
			t.pts, t.nextPTS = t.dts, t.dts
		}
	}
}

func (t *track) settle() {
	if t.nextDTS == frame.NoPTS {
		t.nextDTS = t.dts
	}
	if t.nextPTS == frame.NoPTS {
		t.nextPTS = t.pts
	}
}

// turn begins one attempt to decode and returns the decoding time stamp for the packet.
func (t *track) turn() int64 {
	t.pts, t.dts = t.nextPTS, t.nextDTS
	return av.Rescale(t.dts, av.Microseconds, t.tb)
}

// drainTurn begins one attempt to get a frame out of a drained decoder.
func (t *track) drainTurn() {
	t.settle()
	t.drained = append(t.drained, t.turn())
}

// spend moves on by the duration of what was decoded, 0 when unknown.
func (t *track) spend(micros int64) {
	if t.dts != frame.NoPTS && micros != 0 {
		t.nextDTS += micros
	} else {
		t.nextDTS = frame.NoPTS
	}
}

// deliver notes a frame's time stamp and duration and returns the time stamp, guessed when the
// decoder could not tell and is draining. micros is what spend was told.
func (t *track) deliver(pts, duration, micros int64) int64 {
	if pts == frame.NoPTS && len(t.drained) > 0 {
		pts, t.drained = t.drained[0], t.drained[1:]
	}
	if pts != frame.NoPTS {
		t.pts = t.toMicros(pts)
		t.nextPTS = t.pts
	}
	if t.nextPTS == frame.NoPTS {
		return pts
	}
	if duration > 0 {
		micros = t.toMicros(duration)
	}
	t.nextPTS += micros
	return pts
}

func abs(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}
