//go:build cgo && !windows

package kernels_test

import (
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
)

func TestRecordDoesNotAllocate(t *testing.T) {
	s := newSetup(t, kernels.Variants()[0], "negate,scale=40:30,negate,scale=30:20,format=rgb24", frame.Info{Format: frame.YUV420P, Width: 64, Height: 48})
	n := testing.AllocsPerRun(100, func() {
		s.commands.Reset()
		s.bound.Record(&s.commands, s.src, s.dst, s.scratch, s.tables)
	})
	if n != 0 {
		t.Errorf("Record allocates %v times", n)
	}
	if len(s.commands.List) != s.plan.Launches() {
		t.Errorf("%d commands for %d launches", len(s.commands.List), s.plan.Launches())
	}
}

// Pictures stored bottom up have negative strides.
func TestNegativeStride(t *testing.T) {
	in := frame.Info{Format: frame.Gray, Width: 3, Height: 2}
	s := newSetup(t, kernels.Variants()[0], "negate", in)
	s.commands.Reset()
	flipped := s.src
	flipped.Addr[0] += gpu.Addr(flipped.Stride[0])
	flipped.Stride[0] = -flipped.Stride[0]
	s.bound.Record(&s.commands, flipped, s.dst, nil, s.tables)
	if err := s.stream.Submit(&s.commands); err != nil {
		t.Fatal(err)
	}
	src, dst := s.host[0], s.host[1]
	for y := range 2 {
		for x := range 3 {
			if dst[y*64+x] != 255-src[(1-y)*64+x] {
				t.Errorf("pixel %d,%d is %d", x, y, dst[y*64+x])
			}
		}
	}
}
