package transfer

import (
	"errors"
	"fmt"
	"sync"

	"github.com/pinring/pinring/gpu"
)

// ArenaParams are the settings of an Arena.
type ArenaParams struct {
	MaxBytes int64 // cap on all that the arena has from the driver; 0 is none
	// Seats is how many Stagings will use the arena at once, 0 for one. Half of the cap is theirs in
	// equal parts, also before they come; the other half is for whoever asks first. See [Arena].
	Seats int
}

// Arena owns host memory and cuts it into slots. It serves any number of Stagings, at once or one
// after another: what one gives back the next one gets, so that a thousand files need no more
// allocations than the most demanding of them.
//
// The first slots are an allocation of the driver's each. When larger ones are asked for, what lies
// idle and is too small is freed, and from then on memory comes in chunks of many slots, which are
// cut anew for each size. So sizes that come again cost nothing, and sizes that grow cost a number
// of allocations that depends on how far they grow, not on how often.
//
// Nobody waits for memory. A Staging gets what is there and within its due, or ErrCap at once, and
// then works with fewer slots or in row bands; two that each hold half of what they need therefore
// cannot block each other. Its due is all that the others' parts leave.
//
// Safe for concurrent use; allocation happens under the lock, since drivers serialise it anyway.
type Arena struct {
	dev   *gpu.Stats
	cap   *Cap
	seats int

	mu    sync.Mutex
	heaps [gpu.NumHostKinds]heap
	taken []*seat
	bytes int64 // had from the driver
	peak  int64 // the most of that
	used  int64 // bytes in which slots lie
	slots int   // that somebody has
	lost  error // the first failure of a free that nobody waited for
}

// NewArena makes an arena. Nothing is allocated yet.
func NewArena(dev gpu.Device, p ArenaParams) *Arena {
	return newArena(dev, NewCap(p.MaxBytes), p.Seats)
}

func newArena(dev gpu.Device, limit *Cap, seats int) *Arena {
	a := &Arena{dev: gpu.NewStats(dev), cap: limit, seats: max(seats, 1)}
	for k := range a.heaps {
		a.heaps[k].kind = gpu.HostKind(k)
	}
	return a
}

// Device is where the memory is from. What is allocated through it counts in Stats.
func (a *Arena) Device() gpu.Device { return a.dev }

// take gives the pool a span of bytes; batch is how many such will be taken now, this one included.
func (a *Arena) take(p *pool, bytes, batch int) (*span, error) {
	bytes = pageRound(bytes)
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.due(p.seat, int64(bytes)); err != nil {
		return nil, err
	}
	h := &a.heaps[p.kind]
	s := h.cut(bytes)
	if s == nil {
		// What is idle is too small. It goes now, so that generations do not pile up under the cap.
		freed, err := a.freeIdle(h)
		if err != nil {
			return nil, err
		}
		h.recarved = h.recarved || freed
		if err := a.growHard(p, h, bytes, batch); err != nil {
			return nil, err
		}
		s = h.cut(bytes)
	}
	a.book(p.seat, s, 1)
	return s, nil
}

// takeSingle allocates exactly bytes for one picture.
func (a *Arena) takeSingle(p *pool, bytes int) (*span, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.due(p.seat, int64(bytes)); err != nil {
		return nil, err
	}
	c, err := a.alloc(p, bytes)
	if err != nil {
		return nil, err
	}
	s := c.cut(0, bytes) // in no heap: nobody else gets it
	a.book(p.seat, s, 1)
	return s, nil
}

// give takes a span back that nothing refers to any more; free gives its memory to the driver if
// nothing else lies in the chunk.
func (a *Arena) give(p *pool, s *span, free bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.book(p.seat, s, -1)
	s.chunk.mend(s)
	switch {
	case s.heap == nil:
		return a.free(s.chunk)
	case free:
		_, err := a.freeIdle(s.heap)
		return err
	}
	return nil
}

// book counts a span in or out. The caller holds the lock.
func (a *Arena) book(who *seat, s *span, sign int) {
	a.used += int64(sign * s.bytes)
	who.used += int64(sign * s.bytes)
	a.slots += sign
}

// growHard makes the heap larger, and frees what is idle in other kinds of memory if it has to.
func (a *Arena) growHard(p *pool, h *heap, bytes, batch int) error {
	err := a.grow(p, h, bytes, batch)
	if !errors.Is(err, ErrCap) && !errors.Is(err, gpu.ErrOutOfMemory) {
		return err
	}
	any := false
	for k := range a.heaps {
		freed, e := a.freeIdle(&a.heaps[k])
		if e != nil {
			return errors.Join(err, e)
		}
		any = any || freed
	}
	if !any {
		return err
	}
	return a.grow(p, h, bytes, batch)
}

// grow makes the heap larger by a chunk that holds a slot of bytes, and as many of the batch and as
// much for later sizes as the cap and the driver give.
func (a *Arena) grow(p *pool, h *heap, bytes, batch int) error {
	want := h.chunkBytes(bytes, batch)
	if room := a.spare(p.seat); int64(want) > room {
		if room < int64(bytes) {
			return fmt.Errorf("%w: %d bytes more asked for, %d left for it of the cap of %d, of which %d are allocated",
				ErrCap, bytes, room, a.cap.limit, a.bytes)
		}
		want = int(room) &^ (pageBytes - 1)
	}
	c, err := a.alloc(p, want)
	if err != nil && want > bytes && errors.Is(err, gpu.ErrOutOfMemory) {
		c, err = a.alloc(p, bytes)
	}
	if err != nil {
		return err
	}
	h.chunks = append(h.chunks, c)
	h.bytes += int64(c.bytes)
	return nil
}

// alloc asks the driver. The caller holds the lock.
func (a *Arena) alloc(p *pool, bytes int) (*chunk, error) {
	if err := a.cap.take(int64(bytes)); err != nil {
		return nil, err
	}
	m, err := p.dev.AllocHost(bytes, p.kind)
	if err != nil {
		a.cap.give(int64(bytes))
		return nil, err
	}
	a.bytes += int64(bytes)
	a.peak = max(a.peak, a.bytes)
	return newChunk(m, bytes), nil
}

// free gives a chunk to the driver. What could not be freed stays booked. The caller holds the lock.
func (a *Arena) free(c *chunk) error {
	if err := c.mem.Free(); err != nil {
		return err
	}
	a.cap.give(int64(c.bytes))
	a.bytes -= int64(c.bytes)
	return nil
}

// freeIdle gives all chunks of the heap to the driver in which nothing lies, and tells if there were
// any. The caller holds the lock.
func (a *Arena) freeIdle(h *heap) (freed bool, err error) {
	kept := h.chunks[:0]
	for _, c := range h.chunks {
		if !c.idle() {
			kept = append(kept, c)
			continue
		}
		freed = true
		h.bytes -= int64(c.bytes)
		err = errors.Join(err, a.free(c))
	}
	clear(h.chunks[len(kept):])
	h.chunks = kept
	return freed, err
}

// lose keeps an error that nobody waits for until Close.
func (a *Arena) lose(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lost == nil {
		a.lost = err
	}
}

// trim gives to the driver what nothing lies in.
func (a *Arena) trim() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.lost
	a.lost = nil
	for k := range a.heaps {
		_, e := a.freeIdle(&a.heaps[k])
		err = errors.Join(err, e)
	}
	return err
}

// Close frees the memory, after the Stagings that used it are closed and before the device. Slots
// that something still refers to are not freed but reported: freeing them would let somebody write
// into memory that is not ours any more.
func (a *Arena) Close() error {
	err := a.trim()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.slots > 0 {
		err = errors.Join(err, fmt.Errorf("staging memory: %d slots are still in use and were not freed", a.slots))
	}
	return err
}

// ArenaStats describe an arena over its whole life, whoever used it.
type ArenaStats struct {
	Allocs, Frees    int64 // calls of the driver
	Bytes, PeakBytes int64 // had from the driver: now, and at most at one time
	UsedBytes        int64 // of these, in which slots lie
	Slots            int   // that somebody has
	Chunks           int   // allocations that slots are cut from
}

// Stats may be asked at any time.
func (a *Arena) Stats() ArenaStats {
	n := a.dev.Snapshot()
	a.mu.Lock()
	defer a.mu.Unlock()
	s := ArenaStats{Bytes: a.bytes, PeakBytes: a.peak, UsedBytes: a.used, Slots: a.slots}
	for k, m := range n.Host {
		s.Allocs += m.Allocs
		s.Frees += m.Frees
		s.Chunks += len(a.heaps[k].chunks)
	}
	return s
}
