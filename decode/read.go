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

// feed reads one packet and hands it to the decoder, or to whom it belongs.
func (s *Source) feed(ctx context.Context) error {
	if len(s.found) > 0 {
		if err := s.showRemembered(); err != nil {
			return err
		}
	}
	switch err := s.in.Read(ctx, s.pkt); {
	case err == nil:
		defer s.pkt.Unref()
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, av.ErrAgain):
		return pause(ctx)
	default:
		return s.readingEnded(err)
	}
	i := s.pkt.Stream()
	if i >= len(s.tracks) || s.tracks[i] == nil {
		return nil // a stream that appeared later, or one that the demuxer could not hold back
	}
	if i != s.video {
		return s.pass(i)
	}
	if s.state == trailing {
		s.skip()
		return nil
	}
	return s.send()
}

// readingEnded sees to the end of the file, whether or not it was meant to be there.
func (s *Source) readingEnded(err error) error {
	if e := s.in.GivenUp(); e != nil {
		err = s.p.explainGivenUp(e) // whatever the demuxer made of it
	}
	if s.state == trailing {
		s.state = ended
		return nil
	}
	if err := s.showAllEarly(); err != nil {
		return err
	}
	if errors.Is(err, io.EOF) {
		return s.drain()
	}
	text := err.Error()
	s.count.readError.Store(&text)
	if s.p.OnError == Abort {
		return s.abort(err)
	}
	return s.drain()
}

// pause waits a little for an input that has nothing to give yet.
func pause(ctx context.Context) error {
	t := time.NewTimer(10 * time.Millisecond)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// send gives the packet just read to the decoder.
func (s *Source) send() error {
	s.count.packets.Add(1)
	if s.pkt.Skipped() {
		s.count.skipped.Add(1)
	}
	t := s.tracks[s.video]
	pts, dts := t.arrive(s.pkt.PTS(), s.pkt.DTS())
	if len(s.early) > 0 && at(dts, pts) >= 0 {
		if err := s.showAllEarly(); err != nil {
			return err
		}
	}
	s.packets = s.pkt.Duration()
	s.pkt.SetTimes(pts, t.turn())
	if s.pkt.Bytes() == 0 {
		t.spend(s.packetMicros())
		return nil
	}
	s.harm.sending(pts, s.pkt.Skipped(), s.pkt.Damaged())
	if err := s.dec.Send(s.pkt); err != nil {
		t.spend(s.packetMicros())
		return s.lose(err)
	}
	s.state = fresh
	return nil
}

// skip takes note of a picture behind the span.
func (s *Source) skip() {
	t := s.tracks[s.video]
	_, dts := t.arrive(s.pkt.PTS(), s.pkt.DTS())
	t.turn()
	t.spend(s.packetMicros())
	if dts != frame.NoPTS && t.toMicros(dts) > s.span.duration+interleaved {
		s.state = ended
	}
}

// packetMicros is the duration of the packet being decoded.
func (s *Source) packetMicros() int64 {
	if s.packets > 0 {
		return s.tracks[s.video].toMicros(s.packets)
	}
	return s.dec.PacketDuration()
}

// pass hands a packet of another stream on, when it belongs to the span.
func (s *Source) pass(i int) error {
	t := s.tracks[i]
	seen := s.seen[sightingOf(s.pkt)]
	pts, dts := t.arrive(s.pkt.PTS(), s.pkt.DTS())
	t.turn()
	t.spend(t.toMicros(s.pkt.Duration()))
	switch s.within(t, pts, dts) {
	case before:
		return s.passEarly(i, pts, dts, seen)
	case behind:
		return nil
	}
	if err := s.showEarly(i); err != nil {
		return err
	}
	return s.handOn(i, s.pkt, pts, dts, s.pkt.Duration())
}

// passEarly sees to a packet before the start of the span: subtitles may still be seen there, and who decodes
// sound needs some of it before.
func (s *Source) passEarly(i int, pts, dts int64, seen bool) error {
	t := s.tracks[i]
	switch {
	case t.subtitle && !seen:
		return s.beforeStart(i, s.pkt, at(pts, dts))
	case t.sound && t.toMicros(at(pts, dts)) >= -soundLead:
		return s.deliverPacket(&frame.Packet{Stream: i, Lead: true}, s.pkt, pts, dts, s.pkt.Duration())
	}
	return nil
}

// handOn passes a packet on, which stays the caller's, with other times. Subtitles are not shown beyond the
// end.
func (s *Source) handOn(i int, p *av.Packet, pts, dts, duration int64) error {
	t := s.tracks[i]
	if from := at(pts, dts); t.subtitle && s.span.duration > 0 && from != frame.NoPTS {
		duration = min(duration, max(1, t.fromMicros(s.span.duration)-from))
	}
	return s.deliverPacket(&frame.Packet{Stream: i}, p, pts, dts, duration)
}

// deliverPacket gives a clone of p away as the content of out.
func (s *Source) deliverPacket(out *frame.Packet, p *av.Packet, pts, dts, duration int64) error {
	c := p.Clone()
	if c == nil {
		return fmt.Errorf("%s: pass packet of stream %d on: out of memory", s.p.Path, out.Stream)
	}
	c.SetTimes(pts, dts)
	c.SetDuration(duration)
	out.Native = c
	return s.p.Packets(out)
}

// at is when a packet is shown, as far as it says.
func at(pts, dts int64) int64 {
	if pts == frame.NoPTS {
		return dts
	}
	return pts
}

// drain ends the decoder's input. An error is that of a packet before, of which a decoder with threads tells
// late; what else it holds is still to come.
func (s *Source) drain() error {
	s.state = draining
	s.packets = 0
	if err := s.dec.Drain(); err != nil {
		return s.lose(err)
	}
	return nil
}
