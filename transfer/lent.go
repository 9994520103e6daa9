package transfer

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// Lend allocates n slots for pictures of layout l and hands each to add: a first set before it
// returns, the rest from a goroutine of its own, so that the first frame does not wait for the
// last slot. When the cap cannot hold them all it lends as many as it can if that is half of them, and
// none otherwise: a decoder that finds many slots missing would copy most frames anyway. That is noted
// and is not an error.
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
	if fit := s.lentRoom(size); fit < n && fit >= enoughLent(n) {
		s.params.Note(fmt.Sprintf("the decoder gets %d of the %d slots of %d bytes that it wants: the cap of %d bytes on staging memory allows no more; "+
			"pictures that find no slot are copied", fit, n, size, s.arena.cap.limit))
		n = fit
	} else if fit < n {
		s.params.Note(fmt.Sprintf("the decoder wants %d slots of %d bytes, more than the cap of %d bytes on staging memory "+
			"leaves: it keeps memory of its own%s (--max-pinned raises the cap, fewer --decoder-threads need less)",
			n, size, s.arena.cap.limit, s.consequence()))
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

// lentRoom is how many slots can be lent so that the cap keeps a few for the owned ones, for pictures
// of the same size: the chain's real output is not known yet when the decoder is opened.
func (s *Staging) lentRoom(size int) int {
	owned := int64(min(s.params.InFlight, leastSlots) + 1)
	if s.unified && !s.params.LeaveRoom {
		owned = 0
	}
	return int(max(0, s.up.left(size)/int64(size)-owned))
}

// enoughLent is how many of n slots serve a decoder: seldom are all of its threads at work on a picture
// at once, so that with half of the slots most pictures still find one (docs/performance.md). With
// fewer the memory does more good elsewhere.
func enoughLent(n int) int { return (n + 1) / 2 }

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
