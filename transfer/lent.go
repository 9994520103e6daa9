package transfer

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// Lend allocates n slots for pictures of layout l and hands each to add: a first set before it
// returns, the rest from a goroutine of its own, so that the first frame does not wait for the
// last slot. When the cap cannot hold them all it lends none: a decoder that finds some slots
// missing for ever would copy most frames anyway. That is noted once and is not an error.
//
// It implements the lender that package decode asks for.
func (s *Staging) Lend(l frame.Layout, n int, add func(*frame.Block)) error {
	if s.params.Up.PerFrame {
		return nil
	}
	if s.params.Slots > 0 {
		n = s.params.Slots
	}
	size := pageRound(l.Size)
	if int64(n)*int64(size)+s.reserve(size) > s.up.left(size) {
		s.params.Note(fmt.Sprintf("the decoder wants %d slots of %d bytes, more than the cap of %d bytes on staging memory "+
			"leaves: it keeps memory of its own%s (--max-pinned raises the cap, fewer --decoder-threads need less)",
			n, size, s.params.MaxBytes, s.consequence()))
		return nil
	}
	first := s.firstSet(n)
	for i := range first {
		if err := s.lendOne(l.Size, n-i, add); err != nil {
			return s.lendFailed(err)
		}
	}
	if first < n {
		s.grow.Add(1)
		go s.growLent(l.Size, n-first, add)
	}
	return nil
}

// consequence is what a frame outside of the slots costs.
func (s *Staging) consequence() string {
	if s.unified {
		return ""
	}
	return ", and each frame is copied"
}

// reserve is what the cap must keep for the owned slots: a download ring for pictures of the same
// size. The chain's real output is not known yet when the decoder is opened.
func (s *Staging) reserve(size int) int64 {
	if s.unified {
		return 0
	}
	return int64(s.params.InFlight+1) * int64(size)
}

// firstSet is how many slots are allocated before decoding starts. Frame threads take buffers one
// after another as packets arrive, and hold about two thirds of the demand in the steady state.
// On a Unified device allocation costs nothing worth hiding.
func (s *Staging) firstSet(n int) int {
	if s.unified || s.params.Eager {
		return n
	}
	return min(n, max(8, (2*n+2)/3))
}

func (s *Staging) lendOne(bytes, batch int, add func(*frame.Block)) error {
	b, err := s.up.get(bytes, batch)
	if err != nil {
		return err
	}
	s.lentCount.Add(1)
	add(b)
	return nil
}

func (s *Staging) growLent(bytes, n int, add func(*frame.Block)) {
	defer s.grow.Done()
	for i := range n {
		if s.closed.Load() {
			return
		}
		if err := s.lendOne(bytes, n-i, add); err != nil {
			if err = s.lendFailed(err); err != nil {
				s.growError.CompareAndSwap(nil, &err)
			}
			return
		}
	}
}

// lendFailed lets the run go on with the slots there are when memory is short, and says so.
func (s *Staging) lendFailed(err error) error {
	if errors.Is(err, gpu.ErrOutOfMemory) || errors.Is(err, ErrCap) {
		s.params.Note(fmt.Sprintf("the decoder gets %d slots, not all it asked for: %v; frames without a slot are copied", s.lentCount.Load(), err))
		return nil
	}
	return fmt.Errorf("slots for the decoder: %w", err)
}

// Return takes a lent slot back. Nothing may refer to it any more.
func (s *Staging) Return(b *frame.Block) {
	s.lentCount.Add(-1)
	s.up.put(b)
}
