package decode

import (
	"context"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Note [Subtitles at the edges of a part]
//
// A subtitle that began before the start and is still to be seen there is shown from the start on, for the
// rest of its time; one that lasts beyond the end ends with it.
//
//   - Text says how long it is shown, in its packet.
//   - Subtitles that are pictures (PGS, DVB) stay until another one replaces or clears them, and may use
//     objects of those before, back to the last one that stands for itself. So all since then are kept,
//     and shown at the start, unless the last one clears the screen or its time is over.
//   - Subtitles of DVDs carry their time inside, where it is shortened.
//   - Teletext and captions are streams without beginnings: nothing is kept of them.
//
// A search leads behind subtitles that began before. So, but in files whose index has a place for each
// stream, we look at a minute before the start first, for subtitles only.

// longestShown is how long before the start a subtitle may have begun that is looked for, in microseconds.
const longestShown = 60 * second

// mostFound bounds what is remembered of looking back, in bytes.
const mostFound = 64 << 20

// mostEarly bounds the pictures that are kept of a stream, in bytes.
const mostEarly = 16 << 20

// early are pictures that may still be seen at the start, by stream: the last one that stands for itself
// and those after it. Their times are those of the frames.
type early struct {
	packets []*av.Packet
	bytes   int
}

// sighting tells packets apart that are read twice.
type sighting struct {
	stream, bytes int
	pts           int64
}

func (e *early) clear() {
	for _, p := range e.packets {
		p.Free()
	}
	e.packets, e.bytes = nil, 0
}

// add keeps a clone, and forgets what it makes needless.
func (e *early) add(p *av.Packet, what graphics) {
	if what.alone || what.clears || e.bytes+p.Bytes() > mostEarly {
		e.clear()
	}
	if what.clears {
		return
	}
	if c := p.Clone(); c != nil {
		e.packets, e.bytes = append(e.packets, c), e.bytes+c.Bytes()
	}
}

// beforeStart sees to a subtitle that began before the start. Its time stamp is on the frames' clock.
func (s *Source) beforeStart(i int, p *av.Packet, pts int64) error {
	t, lasts := s.tracks[i], p.Duration()
	switch what := describeGraphics(s.in.Streams[i].Codec, p.Payload()); {
	case what.timeless:
		return nil
	case what.graphics:
		if lasts <= 0 {
			lasts = t.fromMicros(what.lasts)
		}
		p.SetTimes(pts, pts)
		p.SetDuration(lasts)
		if s.early == nil {
			s.early = map[int]*early{}
		}
		if s.early[i] == nil {
			s.early[i] = &early{}
		}
		s.early[i].add(p, what)
	case lasts > 0 && pts+lasts > 0:
		return s.handOn(i, p, 0, 0, pts+lasts)
	}
	return nil
}

// showEarly hands on what can still be seen at the start, now that it has come.
func (s *Source) showEarly(i int) error {
	e := s.early[i]
	if e == nil {
		return nil
	}
	delete(s.early, i)
	defer e.clear()
	if len(e.packets) == 0 {
		return nil
	}
	last := e.packets[len(e.packets)-1]
	if last.Duration() > 0 && last.PTS()+last.Duration() <= 0 {
		return nil
	}
	if s.in.Streams[i].Codec == "dvd_subtitle" {
		hastenDVD(last.Own(), -s.tracks[i].toMicros(last.PTS()))
	}
	for _, p := range e.packets {
		rest := p.Duration()
		if rest > 0 {
			rest = max(0, p.PTS()+rest)
		}
		if err := s.handOn(i, p, 0, 0, rest); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) showAllEarly() error {
	for i := range s.early {
		if err := s.showEarly(i); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) forgetEarly() {
	for i, e := range s.early {
		e.clear()
		delete(s.early, i)
	}
	s.forgetRemembered()
	s.seen = nil
}

// lookBack reads subtitles between a minute before the start and the start, and keeps them. The file is left
// anywhere.
func (s *Source) lookBack(ctx context.Context, target int64) error {
	if !s.anySubtitle() || s.in.SeeksEachStream() || s.in.SeekBefore(target-min(longestShown, s.span.start)) != nil {
		return nil
	}
	s.in.Keep(func(i int) bool { return i == s.video || s.subtitle(i) })
	defer s.in.Keep(func(int) bool { return true })
	for read := int64(0); read < s.p.GiveUpBytes; read += int64(s.pkt.Bytes()) {
		s.pkt.Unref()
		if err := s.in.Read(ctx, s.pkt); err != nil {
			return ctx.Err()
		}
		s.in.Fruitful() // it is this loop that bounds what is read
		i, at := s.pkt.Stream(), s.pkt.PTS()
		if i < len(s.in.Streams) && at != frame.NoPTS {
			there := av.Rescale(at, s.in.Streams[i].TimeBase, av.Microseconds) >= target
			if i == s.video && there {
				break
			}
			if s.subtitle(i) && !there {
				s.remember(s.pkt.Clone())
			}
		}
	}
	s.pkt.Unref()
	return nil
}

func (s *Source) remember(p *av.Packet) {
	if p == nil {
		return
	}
	if s.foundBytes += p.Bytes(); s.foundBytes > mostFound {
		p.Free()
		return
	}
	if s.seen == nil {
		s.seen = map[sighting]bool{}
	}
	s.seen[sightingOf(p)] = true
	s.found = append(s.found, p)
}

func sightingOf(p *av.Packet) sighting { return sighting{p.Stream(), p.Bytes(), p.PTS()} }

// showRemembered sorts what lookBack found, once there are clocks.
func (s *Source) showRemembered() error {
	defer s.forgetRemembered()
	for _, p := range s.found {
		i := p.Stream()
		pts := s.tracks[i].shift(p.PTS(), s.clock.offset)
		if pts >= 0 {
			continue
		}
		if err := s.beforeStart(i, p, pts); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) forgetRemembered() {
	for _, p := range s.found {
		p.Free()
	}
	s.found, s.foundBytes = nil, 0
}

func (s *Source) subtitle(i int) bool {
	return i < len(s.in.Streams) && s.in.Streams[i].Kind == "subtitle" && s.wants(i)
}

func (s *Source) anySubtitle() bool {
	for i := range s.in.Streams {
		if s.subtitle(i) {
			return true
		}
	}
	return false
}
