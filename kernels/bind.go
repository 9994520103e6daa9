package kernels

import (
	"fmt"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// Image says where the planes of a picture are, as kernels see them. Strides may be negative.
// Samples of two bytes must lie at even addresses.
type Image struct {
	Addr   [frame.MaxPlanes]gpu.Addr
	Stride [frame.MaxPlanes]int
}

// At is the image of a picture of layout l that starts at base.
func At(l frame.Layout, base gpu.Addr) Image {
	var m Image
	for p := range l.NumPlanes {
		m.Addr[p], m.Stride[p] = base+gpu.Addr(l.Offset[p]), l.Stride[p]
	}
	return m
}

// Bound is a plan with the kernels of one device. Record may be called by several goroutines at
// once, for different command lists.
type Bound struct {
	plan    *Plan
	kernels []gpu.Kernel // one per pass
}

// Bind looks the plan's kernels up. The program must outlive the result.
func (p *Plan) Bind(prog gpu.Program) (*Bound, error) {
	b := &Bound{plan: p}
	for _, s := range p.passes {
		k, err := prog.Kernel(s.kernel)
		if err != nil {
			return nil, fmt.Errorf("bind filter chain: %w", err)
		}
		b.kernels = append(b.kernels, k)
	}
	return b, nil
}

// Record appends one frame's launches to c: src is read, dst (of OutLayout) and scratch are written.
// scratch are the lane's buffers, as Plan.Scratch asks for; tables is where Plan.Tables was uploaded.
// Nothing is recorded for an Identity plan. It does not allocate once c has grown.
func (b *Bound) Record(c *gpu.Commands, src, dst Image, scratch []gpu.Addr, tables gpu.Addr) {
	for i := range b.plan.passes {
		p := &b.plan.passes[i]
		args := [numCells]uint64{cellCols: uint64(p.w), cellRows: uint64(p.h),
			cellParams: uint64(tables) + uint64(p.params), cellTables: uint64(tables)}
		p.src.cells(args[cellSrc:], args[cellSrcStride:], src, scratch)
		p.dst.cells(args[cellDst:], args[cellDstStride:], dst, scratch)
		c.Launch(b.kernels[i], p.w, p.h, args[:]...)
	}
}

// cells writes the addresses and strides of the planes at a place.
func (p *place) cells(addr, stride []uint64, given Image, scratch []gpu.Addr) {
	if p.scratch >= 0 {
		given = At(p.layout, scratch[p.scratch])
	}
	for i := range min(p.planes, cellSrcStride-cellSrc) {
		addr[i], stride[i] = uint64(given.Addr[i]), uint64(int64(given.Stride[i]))
	}
}
