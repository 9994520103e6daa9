package transfer

import (
	"errors"

	"github.com/pinring/pinring/frame"
)

// Prepare makes the rings that frames like f need, so that no frame allocates them on its way, or,
// where the cap does not hold a picture in each direction, what their bands need. result is the size
// of a result, 0 when it is not known yet; held is as in AcquireDownload. Nothing may be under way.
func (s *Staging) Prepare(f *frame.Frame, result, held int) error {
	n := need{held: held}
	if !s.unified && f.Block == nil && !s.params.Up.PerFrame {
		_, _, n.up = copyLayout(f)
	}
	if !s.params.Down.PerFrame {
		n.down = result
	}
	s.held = held
	return s.prepare(n)
}

// Prime allocates n slots for results of bytes, so that Prepare finds them. More than the cap holds are not
// asked for.
func (s *Staging) Prime(bytes, n int) error {
	var made []*frame.Block
	defer func() {
		for _, b := range made {
			s.down.put(b)
		}
	}()
	for range n {
		b, err := s.down.get(bytes, 1)
		if errors.Is(err, ErrCap) {
			return nil
		}
		if err != nil {
			return err
		}
		made = append(made, b)
	}
	return nil
}

// fairSlots is how many slots the copy ring gets so that the download ring gets as many under a cap
// that does not hold both, and at least one.
func (s *Staging) fairSlots(up, down, held int) int {
	n := s.params.InFlight + 1
	if s.params.Down.PerFrame {
		down = 0
	}
	both := int64(pageRound(up) + pageRound(down))
	left := s.up.left(up)
	if fit := left / both; fit < int64(n) && int64(n)*both > left-int64(held*pageRound(down)) {
		n = int(max(fit, 1))
	}
	return n
}

// UploadBytes is the size of the device buffer that uploads of frames like f need, 0 when they are
// read in place.
func (s *Staging) UploadBytes(f *frame.Frame) int {
	_, _, bytes := copyLayout(f)
	if s.upBands != nil && f.Block == nil {
		return bytes
	}
	if s.inPlace(s.params.Up) {
		return 0
	}
	if f.Block != nil && !s.params.Up.PerFrame {
		bytes = f.Block.Size
	}
	return bytes
}

// PerFrameBytes is how much memory a frame like f, with a result of that size, takes for itself in
// each direction; 0 where a ring serves it.
func (s *Staging) PerFrameBytes(f *frame.Frame, result int) (up, down int64) {
	_, _, bytes := copyLayout(f)
	if s.params.Up.PerFrame && !s.unified {
		up = int64(bytes)
	}
	if s.params.Down.PerFrame {
		if result == 0 {
			result = bytes
		}
		down = int64(result)
	}
	return up, down
}
