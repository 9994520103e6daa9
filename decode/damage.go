package decode

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Policy says what becomes of damage.
type Policy int

// The policies. All but Conceal must know of every damaged picture, and are slower on many threads: see
// av.DecoderOptions. With each the pictures that are whole are delivered.
const (
	Conceal Policy = iota // damaged pictures as FFmpeg repairs them; lost ones are missing
	Skip                  // damaged pictures are left out, too
	Repeat                // in place of damaged and lost ones the last whole picture is shown again
	Abort                 // the first damage is an error
)

// Policies are the names of the policies.
var Policies = map[string]Policy{"conceal": Conceal, "skip": Skip, "repeat": Repeat, "abort": Abort}

// harm is what the source knows of damage.
type harm struct {
	suspects suspects  // packets that the demuxer found damaged
	lost     lost      // pictures to be shown again; used with Repeat only
	good     *delivery // the last whole picture, held with Repeat only
	still    still     // what it shows
	last     int64     // time stamp of the latest frame that was put out
	latest   int64     // time stamp of the latest packet that was sent
	aborted  bool
}

// still is all of a frame but its owner.
type still struct {
	frame.Info
	frame.Meta
	planes    [frame.MaxPlanes]frame.Plane
	numPlanes int
	block     *frame.Block
	side      any
}

func (h *harm) restart() {
	h.suspects, h.lost = h.suspects[:0], lost{sent: h.lost.sent[:0]}
	h.last, h.latest = frame.NoPTS, frame.NoPTS
}

// sending takes note of a packet that the decoder is about to get.
func (h *harm) sending(pts int64, skipped, damaged bool) {
	h.latest = pts
	if damaged {
		h.suspects.add(pts)
	}
	if !skipped {
		h.lost.expect(pts)
	}
}

// lose takes note of a packet that the decoder could make nothing of.
func (s *Source) lose(damage error) error {
	if s.span.start > 0 && !s.span.begun && s.harm.latest < 0 && s.harm.latest != frame.NoPTS {
		return nil // nobody asked for it
	}
	if s.dec.TookTooLarge() || s.index == 0 && s.dec.AnnouncedTooLarge() {
		s.count.tooLarge.Store(true)
		damage = fmt.Errorf("%w: %w", av.ErrTooLarge, damage)
	}
	s.count.note(damage)
	switch s.p.OnError {
	case Abort:
		return s.abort(damage)
	case Repeat:
		s.harm.lost.owe(s.harm.latest)
	}
	return nil
}

// refuse drops a picture that is larger than MaxPixels by so little that the decoder made it.
func (s *Source) refuse(d *delivery) error {
	err := fmt.Errorf("%w: %dx%d", av.ErrTooLarge, d.Width, d.Height)
	pts, duration := d.PTS, d.Duration
	s.drop(d)
	s.count.tooLarge.Store(true)
	s.count.note(err)
	switch {
	case s.p.OnError == Abort:
		return s.abort(err)
	case s.p.OnError == Repeat && s.showAgain(pts, duration):
		s.count.filled.Add(1)
	}
	return nil
}

// abort ends the source because of damage.
func (s *Source) abort(damage error) error {
	s.harm.aborted = true
	s.state = ended
	e := &Error{Path: s.p.Path, What: fmt.Sprintf("is damaged at frame %d", s.index), Err: damaged{damage},
		Hint: "--on-error conceal, skip or repeat goes on in spite of it"}
	if errors.Is(damage, av.ErrTooLarge) {
		e.What, e.Hint = fmt.Sprintf("cannot be decoded at frame %d", s.index), largerHint
	}
	return e
}

// treat deals with a damaged picture.
func (s *Source) treat(d *delivery) error {
	switch s.p.OnError {
	case Conceal:
		s.count.concealed.Add(1)
		s.put(d)
		return nil
	case Abort:
		s.drop(d)
		return s.abort(ErrPartly)
	case Repeat:
		if s.showAgain(d.PTS, d.Duration) {
			s.count.replaced.Add(1)
			s.drop(d)
			return nil
		}
	}
	s.count.dropped.Add(1)
	s.drop(d)
	return nil
}

// fillTo shows the last whole picture in place of those that were lost before pts. micros is how long
// the picture at pts is shown.
func (s *Source) fillTo(pts, micros int64) {
	if s.p.OnError != Repeat {
		return
	}
	step := av.Rescale(micros, av.Microseconds, s.in.Streams[s.video].TimeBase)
	for _, at := range s.harm.lost.before(pts, s.harm.last, step) {
		if s.showAgain(at, 0) {
			s.count.filled.Add(1)
		}
	}
}

// setGood makes d the picture that will be shown again; nil: none.
func (s *Source) setGood(d *delivery) {
	if s.p.OnError != Repeat {
		return
	}
	old := s.harm.good
	s.harm.good = d
	if d != nil {
		d.users.Add(1)
		s.harm.still = still{d.Info, d.Meta, d.Planes, d.NumPlanes, d.Block, d.Side}
	}
	if old != nil {
		old.letGo()
	}
}

// showAgain puts the last whole picture out once more; false when there was none yet.
func (s *Source) showAgain(pts, duration int64) bool {
	good := s.harm.good
	if good == nil {
		return false
	}
	v, is := s.spareView(), &s.harm.still
	v.of = good
	good.users.Add(1)
	v.Info, v.Meta = is.Info, is.Meta
	v.Planes, v.NumPlanes, v.Block, v.Side = is.planes, is.numPlanes, is.block, is.side
	v.PTS = pts
	if duration > 0 {
		v.Duration = duration
	}
	s.putOut(&v.Frame, v)
	return true
}
