package bench

import (
	"context"
	"fmt"

	"github.com/pinring/pinring/gpu"
)

// Allocs is what it costs to allocate and free host memory of one kind.
type Allocs struct {
	Kind        gpu.HostKind
	Bytes       int
	Alloc, Free gpu.Times
}

// MeasureAllocs allocates and frees n times.
func MeasureAllocs(ctx context.Context, dev gpu.Device, kind gpu.HostKind, bytes, n int) (Allocs, error) {
	a := Allocs{Kind: kind, Bytes: bytes}
	s := gpu.NewStats(dev)
	for range n {
		if err := ctx.Err(); err != nil {
			return a, err
		}
		b, err := s.AllocHost(bytes, kind)
		if err == nil {
			err = b.Free()
		}
		if err != nil {
			return a, fmt.Errorf("allocate %s memory: %w", kind, err)
		}
	}
	m := s.Snapshot().Host[kind]
	a.Alloc, a.Free = m.AllocTime, m.FreeTime
	return a, nil
}
