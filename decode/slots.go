package decode

import (
	"sync/atomic"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// slots keeps the decoder supplied with lent memory.
type slots struct {
	pool   *av.Pool
	lender Lender // from Start on
	count  *counters
	asked  int // bytes of the largest slot ever asked for
	// final holds the pool's last counters once it is closed.
	final atomic.Pointer[av.PoolStats]
}

func newSlots(count *counters) (*slots, error) {
	pool, err := av.NewPool()
	if err != nil {
		return nil, err
	}
	return &slots{pool: pool, count: count}, nil
}

// lend asks for n slots of a layout that is larger than any before, and retires smaller ones.
func (s *slots) lend(l frame.Layout, n int) error {
	s.asked = l.Size
	s.pool.Retire(l.Size)
	s.collect()
	s.count.asked.Add(int64(n))
	s.count.generations.Add(1)
	return s.lender.Lend(l, n, func(b *frame.Block) {
		if !s.pool.Add(b) {
			s.lender.Return(b)
		}
	})
}

// collect gives retired slots back that nothing refers to any more.
func (s *slots) collect() {
	if s.lender != nil { // nothing was lent before Start
		s.pool.TakeReturned(s.lender.Return)
	}
}

// shut takes no more slots and gives back those that are free.
func (s *slots) shut() {
	s.pool.Shut()
	s.collect()
}

// close must come after shut, when no frame is outstanding.
func (s *slots) close() {
	s.collect()
	st := s.pool.Stats()
	s.final.Store(&st)
	s.pool.Close()
}

func (s *slots) stats() av.PoolStats {
	if st := s.final.Load(); st != nil {
		return *st
	}
	return s.pool.Stats()
}
