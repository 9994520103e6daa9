package encode

import (
	"fmt"

	"github.com/pinring/pinring/internal/av"
)

// queue keeps packets that came before the first frame. When it is full the run fails: dropping
// sound silently would be worse.
type queue struct {
	limit, bytes int
	waiting      []waiting
}

type waiting struct {
	t *track
	p *av.Packet
}

// put owns the packet, on error too.
func (q *queue) put(t *track, p *av.Packet) error {
	if q.bytes+p.Bytes() > q.limit {
		p.Free()
		return fmt.Errorf("%w: %d packets, %d bytes", ErrQueueFull, len(q.waiting), q.bytes)
	}
	q.bytes += p.Bytes()
	q.waiting = append(q.waiting, waiting{t, p})
	return nil
}

// drain hands all packets to f, which owns them; the first error ends it, and frees the rest.
func (q *queue) drain(f func(t *track, p *av.Packet) error) error {
	defer q.clear()
	for len(q.waiting) > 0 {
		w := q.waiting[0]
		q.waiting = q.waiting[1:]
		if err := f(w.t, w.p); err != nil {
			return err
		}
	}
	return nil
}

func (q *queue) clear() {
	for _, w := range q.waiting {
		w.p.Free()
	}
	q.waiting, q.bytes = nil, 0
}
