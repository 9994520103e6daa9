package transfer

import (
	"fmt"
	"slices"
)

// seat is one Staging's place in an arena.
type seat struct {
	used int64 // bytes of its slots; guarded by the arena's lock
}

// sit takes a place.
func (a *Arena) sit() *seat {
	s := &seat{}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.taken = append(a.taken, s)
	return s
}

// leave gives the place up. Slots of it that are still in use stay in the arena's books.
func (a *Arena) leave(s *seat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.taken = slices.DeleteFunc(a.taken, func(t *seat) bool { return t == s })
}

// part is what each seat can rely on: its share of one half of the cap.
func (a *Arena) part() int64 { return a.cap.limit / 2 / int64(max(a.seats, len(a.taken))) }

// promised is what must be left for the others, those who have not come yet included.
func (a *Arena) promised(to *seat) (bytes int64) {
	part, others := a.part(), 0
	for _, s := range a.taken {
		if s != to {
			others++
			bytes += max(0, part-s.used)
		}
	}
	return bytes + part*int64(max(0, a.seats-1-others))
}

// allowance is how many bytes of slots the seat may take beyond those it has.
func (a *Arena) allowance(s *seat) int64 {
	if a.cap.limit <= 0 {
		return unlimited
	}
	return max(a.cap.limit-a.used-a.promised(s), a.part()-s.used)
}

// due says no when bytes more would be at the cost of the others' parts. The caller holds the lock.
func (a *Arena) due(s *seat, bytes int64) error {
	if left := a.allowance(s); bytes > left {
		return fmt.Errorf("%w: %d bytes more asked for, %d left of the cap of %d, with %d in use and %d kept for others",
			ErrCap, bytes, max(left, 0), a.cap.limit, a.used, a.promised(s))
	}
	return nil
}

// spare is how large a new chunk may be: beyond its own part a seat leaves room for what the others
// were promised, whole, since slots that are scattered over chunks may not serve them. The caller
// holds the lock.
func (a *Arena) spare(s *seat) int64 {
	left := a.cap.left()
	if a.cap.limit <= 0 {
		return left
	}
	return min(left, max(left-a.promised(s), a.part()-s.used, 0))
}

// left is how many bytes the seat can still have for slots of that size and kind, about: what others
// do at the same time is not known.
func (a *Arena) left(p *pool, bytes int) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cap.limit <= 0 {
		return unlimited
	}
	h := &a.heaps[p.kind]
	have := int64(h.slots(pageRound(bytes)))*int64(pageRound(bytes)) + h.idleBelow(pageRound(bytes)) + a.cap.left()
	return min(have, a.allowance(p.seat))
}
