package decode

import (
	"math"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// receive takes a frame from the decoder, if it has one now, and puts it out.
func (s *Source) receive() error {
	t := s.tracks[s.video]
	switch s.state {
	case draining:
		t.drainTurn()
	case again:
		t.turn()
	}
	d := s.spare()
	st, news, damage := s.dec.Receive(d.pic, &d.Frame)
	var micros int64
	if s.state != again || st == av.Got {
		micros = s.packetMicros()
		t.spend(micros)
	}
	if st != av.Got {
		s.drop(d)
		if err := s.afterNone(st, damage); err != nil {
			return err
		}
		return s.attend(news)
	}
	if err := s.arrived(d, micros); err != nil {
		return err
	}
	return s.attend(news)
}

// afterNone moves on when the decoder gave no frame.
func (s *Source) afterNone(st av.Status, damage error) error {
	switch {
	case st == av.Ended:
		s.state = ended
		s.fillTo(math.MaxInt64, 0)
	case s.state != draining:
		s.state = reading
	}
	if st == av.Broken {
		return s.lose(damage)
	}
	return nil
}

// arrived judges a picture that came out of the decoder: whether it is wanted, and whether it is whole.
func (s *Source) arrived(d *delivery, micros int64) error {
	f := &d.Frame
	f.PTS = s.tracks[s.video].deliver(f.PTS, f.Duration, micros)
	if s.state == fresh {
		s.state = again
	}
	s.in.Fruitful()
	switch s.span.place(f.PTS, f.TimeBase) {
	case before:
		s.count.trimmed.Add(1)
		s.drop(d)
		return nil
	case behind:
		s.drop(d)
		s.finishSpan()
		return nil
	}
	if f.Duration > 0 {
		micros = s.tracks[s.video].toMicros(f.Duration)
	}
	s.fillTo(f.PTS, micros)
	if int64(f.Width)*int64(f.Height) > s.p.MaxPixels {
		return s.refuse(d)
	}
	f.Corrupt = f.Corrupt || s.harm.suspects.take(f.PTS)
	if !f.Corrupt {
		s.setGood(d)
		s.put(d)
		return nil
	}
	return s.treat(d)
}

// put hands a picture of the decoder out.
func (s *Source) put(d *delivery) {
	if d.Block != nil {
		s.count.inSlots.Add(1)
	} else {
		s.count.elsewhere.Add(1)
	}
	d.users.Add(1)
	s.putOut(&d.Frame, d)
}

// putOut gives a frame its place in the output.
func (s *Source) putOut(f *frame.Frame, owner frame.Owner) {
	f.Index = s.index
	s.index++
	if f.PTS != frame.NoPTS {
		s.harm.last = f.PTS
		f.PTS += s.base
		s.end = max(s.end, f.PTS+max(f.Duration, 1))
	}
	s.count.decoded.Add(1)
	s.count.outstanding.Add(1)
	f.Arm(owner)
	s.out = append(s.out, f)
}
