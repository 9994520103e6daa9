package transfer

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/frame"
)

// need is what a generation of pictures takes: bytes of a picture in each direction, 0 where no ring
// serves it.
type need struct {
	up, down int
	held     int // results that the sink keeps
}

// whole is the least memory that takes pictures whole, in each direction.
func (s *Staging) whole(n need) (up, down int64) {
	if n.up > 0 && !s.copyRing.holds(n.up) {
		up = int64(pageRound(n.up))
	}
	if n.down > 0 && !s.downRing.holds(n.down) {
		down = int64(n.held+1) * int64(pageRound(n.down))
	}
	return up, down
}

// ways are the choices of what travels in bands, the best one first: bands upwards cost a wait more,
// downwards a copy more.
var ways = [...]struct{ up, down bool }{{}, {up: true}, {down: true}, {up: true, down: true}}

// firstWay is the first of them that the cap seems to allow.
func (s *Staging) firstWay(n need) int {
	up, down := s.whole(n)
	left := s.up.left(max(n.up, n.down, 1))
	for i, w := range ways {
		least := int64(0)
		for _, d := range []struct {
			banded bool
			whole  int64
		}{{w.up, up}, {w.down, down}} {
			if d.banded {
				least += bandSlots * pageBytes
			} else {
				least += d.whole
			}
		}
		if least <= left {
			return i
		}
	}
	return len(ways) - 1
}

// prepare makes the rings for a generation of pictures, or the ways for their bands.
func (s *Staging) prepare(n need) (err error) {
	err = errors.Join(s.setUpBands(n, false, false), s.setDownBands(n, false))
	if err != nil {
		return err
	}
	if !s.copyRing.holds(n.up) {
		s.copyRing.retire()
		s.copyRing = nil
	}
	if !s.downRing.holds(n.down) {
		s.downRing.retire()
		s.downRing = nil
	}
	for i := s.firstWay(n); i < len(ways); i++ {
		if err = s.tryWay(n, i); !errors.Is(err, ErrCap) {
			return err
		}
	}
	return err
}

// tryWay makes bands first, so that a ring gets the rest.
func (s *Staging) tryWay(n need, i int) error {
	up, down := ways[i].up && n.up > 0, ways[i].down && n.down > 0
	if err := errors.Join(s.setUpBands(n, up, down), s.setDownBands(n, down)); err != nil {
		return err
	}
	if n.up > 0 && !up {
		s.copySlots = s.fairSlots(n.up, n.down, n.held)
		if down {
			s.copySlots = 0
		}
		if err := s.needCopyRing(n.up); err != nil {
			return err
		}
	}
	if n.down > 0 && !down {
		return s.needDownRing(n.down, n.held)
	}
	return nil
}

// setUpBands begins or ends bands upwards. others says that there will be bands downwards, too.
func (s *Staging) setUpBands(n need, on, others bool) (err error) {
	if !on {
		err = s.upBands.close()
		s.upBands = nil
		return err
	}
	s.copyRing.retire()
	s.copyRing = nil
	if s.upBands != nil {
		return nil
	}
	_, whole := s.whole(n)
	if others {
		whole = 0
	}
	if s.upBands, err = newBands(s.dev, s.up, s.bandBytes(s.up, n.up, whole, others)); err != nil {
		return err
	}
	s.sayBands(&s.saidUp, "go up", n.up, s.upBands)
	return nil
}

// setDownBands begins or ends bands downwards, and makes the ring that their results lie in.
func (s *Staging) setDownBands(n need, on bool) (err error) {
	if !on {
		s.resultRing.retire()
		s.resultRing = nil
		err = s.downBands.close()
		s.downBands = nil
		return err
	}
	s.downRing.retire()
	s.downRing = nil
	if s.downBands == nil {
		up, _ := s.whole(n)
		if s.upBands != nil {
			up = 0
		}
		if s.downBands, err = newBands(s.dev, s.down, s.bandBytes(s.down, n.down, up, false)); err != nil {
			return err
		}
		s.sayBands(&s.saidDown, "come down", n.down, s.downBands)
	}
	return s.needResultRing(n)
}

// needResultRing makes room in ordinary memory for results that come in bands: one that is filled
// while another is delivered, and those that the sink keeps.
func (s *Staging) needResultRing(n need) (err error) {
	if s.resultRing.holds(n.down) {
		return nil
	}
	s.resultRing.retire()
	if s.resultRing, err = newRing(s.ordinary(), leastSlots+n.held, 1+n.held, n.down, s.done); err != nil {
		return fmt.Errorf("memory for results: %w", err)
	}
	s.resultRing.poison = s.params.Poison
	for _, slot := range s.resultRing.slots {
		slot.banded = true
	}
	return nil
}

// bandBytes is the size of a band's slot for pictures of that size, when so many bytes are to be left
// for the other direction, or as much again where that has bands, too.
func (s *Staging) bandBytes(p *pool, picture int, leave int64, again bool) int {
	slots := int64(bandSlots)
	if again {
		slots *= 2
	}
	fit := (p.left(pageBytes) - leave) / slots &^ (pageBytes - 1)
	return int(min(max(fit, pageBytes), bandBytesMax, int64(pageRound(picture))))
}

func (s *Staging) sayBands(said *bool, way string, picture int, b *bands) {
	if *said {
		return
	}
	*said = true
	s.params.Note(fmt.Sprintf("pictures of %d bytes do not fit the cap of %d bytes on staging memory: they %s in bands, over %d slots of %d bytes "+
		"(--max-pinned raises the cap)", picture, s.arena.cap.limit, way, len(b.gears), b.bytes))
}

// bandsUp reports whether the frame goes up in bands. A frame that comes unexpectedly, since the
// decoder had no slot for it, and finds no room for a ring goes so from then on.
func (s *Staging) bandsUp(f *frame.Frame) bool {
	_, _, bytes := copyLayout(f)
	switch {
	case s.params.Up.PerFrame, s.level == Pageable, s.copyRing.holds(bytes):
		return false
	case s.upBands != nil:
		return true
	case !errors.Is(s.needCopyRing(bytes), ErrCap):
		return false
	}
	return s.setUpBands(need{up: bytes}, true, false) == nil
}

// Banded is how many pictures went up and came down in bands.
func (s *Staging) Banded() (up, down int64) { return s.bandedUp.Load(), s.bandedDown.Load() }
