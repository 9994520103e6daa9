package probe

import (
	"context"
	"errors"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/gpu"
)

// granule is how exactly the largest allocation is found: drivers give device memory in such pieces.
const granule = 2 << 20

// LargestAlloc finds the largest device allocation that is possible now, by trying. It returns 0
// when not even 2 MiB are.
func LargestAlloc(dev gpu.Device) (int64, error) {
	m, err := dev.MemInfo()
	if err != nil {
		return 0, err
	}
	lo, hi := int64(0), m.Free/granule+1 // lo fits, hi is not tried yet or does not
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		fits, err := canAlloc(dev, mid*granule)
		switch {
		case err != nil:
			return 0, err
		case fits:
			lo = mid
		default:
			hi = mid
		}
	}
	return lo * granule, nil
}

func canAlloc(dev gpu.Device, bytes int64) (bool, error) {
	b, err := dev.Alloc(int(bytes))
	if errors.Is(err, gpu.ErrOutOfMemory) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, b.Free()
}

// Room is the largest device allocation that is possible, in bytes to 2 MiB.
type Room struct {
	Held     int64 // host memory that was there meanwhile
	Nothing  int64 // with none
	Pageable int64 // with Held bytes of pageable memory
	Pinned   int64 // with Held bytes of pinned memory
	Err      error // pinned memory of that size could not be had; Pinned is not known then
}

// Room tries how large a device allocation may be without and with host memory of a size.
func (r *Rig) Room(ctx context.Context, held int64) (*Room, error) {
	r.say("the largest device allocation without and with " + budget.FormatBytes(held) + " of host memory")
	m := &Room{Held: held}
	var err error
	if m.Nothing, err = LargestAlloc(r.Device); err != nil {
		return m, err
	}
	if m.Pageable, err = r.beside(ctx, held, gpu.Pageable); err != nil {
		return m, err
	}
	m.Pinned, err = r.beside(ctx, held, gpu.Pinned)
	if errors.Is(err, gpu.ErrOutOfMemory) {
		m.Err, err = err, nil
	}
	return m, err
}

// beside is the largest device allocation beside host memory, which has come back before it returns.
func (r *Rig) beside(ctx context.Context, held int64, kind gpu.HostKind) (int64, error) {
	traces := begin(r.Read())
	b, err := r.Device.AllocHost(int(held), kind)
	if err != nil {
		return 0, err
	}
	defer b.Free()
	r.touch(b)
	follow(traces, r.Read(), func(t *Trace, usage int64) { t.Held = usage })
	n, err := LargestAlloc(r.Device)
	if err != nil {
		return 0, err
	}
	if err := b.Free(); err != nil {
		return 0, err
	}
	return n, r.await(ctx, traces, held, r.Clock.Now())
}
