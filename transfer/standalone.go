package transfer

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/pinring/pinring/gpu"
)

// RingParams are the settings of a ring on its own, inside a program that has a pipeline of its own.
type RingParams struct {
	Slots     int          // in use at once
	SlotBytes int          // of each, rounded up to whole pages
	Kind      gpu.HostKind // the zero Kind is Pinned
	Cap       *Cap         // shared with other rings; nil is none
	Poison    bool         // overwrite released slots (tests)
}

// NewRing allocates all slots of a ring at once; after that it allocates nothing. Its slots serve either
// direction:
//
//	slot, err := ring.Acquire(ctx)         // waits for a free slot
//	fill(slot.Data())
//	cmds.Copy(gpu.OpCopyH2D, dst, slot.Addr(), n)
//	cmds.Record(event)
//	stream.Submit(&cmds)
//	slot.ReleaseAfter(event)               // comes back when the copy is done
//
// On error nothing stays allocated. It fails with an error that matches gpu.ErrOutOfMemory or [ErrCap]
// when there is no room. The caller closes the ring before the device.
func NewRing(dev gpu.Device, p RingParams) (*Ring, error) {
	if p.Slots < 1 || p.SlotBytes < 1 {
		return nil, fmt.Errorf("ring: %d slots of %d bytes; at least 1 of 1 is needed", p.Slots, p.SlotBytes)
	}
	if p.Cap == nil {
		p.Cap = NewCap(0)
	}
	arena := newArena(dev, p.Cap, 1)
	pool := newPool(arena, arena.sit(), p.Kind)
	done := NewCompleter(p.Slots)
	r, err := newRing(pool, p.Slots, p.Slots, p.SlotBytes, done)
	if err != nil {
		done.Close()
		return nil, errors.Join(fmt.Errorf("ring: %w", err), arena.Close())
	}
	r.own, r.poison = done, p.Poison
	return r, nil
}

// Close waits for the events that slots are to be released after, and frees the slots. A slot that was
// acquired and not released is not freed but reported. Only for a ring of NewRing; no Acquire and no
// ReleaseAfter after it. Idempotent.
func (r *Ring) Close() error {
	r.own.Close()
	r.retire()
	return errors.Join(r.pool.inUse("ring"), r.pool.arena.trim())
}

// Stats describes the slots. Allocs stays what it was after NewRing.
func (r *Ring) Stats() Stats { return r.pool.stats() }

// Data is the slot's memory. It is valid until the slot's release.
func (s *Slot) Data() []byte { return unsafe.Slice((*byte)(s.Base), s.Size) }
