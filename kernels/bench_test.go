//go:build cgo && !windows

package kernels_test

import (
	"testing"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// BenchmarkChain runs a chain on 1080p pictures, on one core, without copies. Bytes are those of the
// source and the output. Variants below the best show what older processors can expect.
func BenchmarkChain(b *testing.B) {
	cases := []struct {
		chain string
		in    frame.PixelFormat
	}{
		{"scale=1280:720", frame.YUV420P},
		{"scale=1280:720:flags=bilinear", frame.YUV420P},
		{"scale=3840:2160", frame.YUV420P},
		{"scale=640:360", frame.YUV420P},
		{"scale=1280:720", frame.NV12},
		{"scale=1280:720", frame.YUV420P10},
		{"scale=1280:720", frame.RGB24},
		{"scale=1280:720,negate", frame.YUV420P},
		{"scale=1280:720,format=rgb24", frame.YUV420P},
		{"format=rgb24", frame.YUV420P},
		{"format=rgba", frame.YUV420P},
		{"format=rgb24", frame.YUV444P},
		{"format=yuv420p", frame.RGB24},
		{"format=yuv420p", "rgba"},
		{"format=yuv444p", frame.RGB24},
		{"format=nv12", frame.YUV420P},
		{"format=yuv444p", frame.YUV420P},
		{"format=yuv420p10le", frame.YUV420P},
		{"format=yuv420p", frame.YUV420P10},
		{"negate", frame.YUV420P},
		{"eq=contrast=1.1:brightness=0.02:saturation=1.2", frame.YUV420P},
		{"eq=gamma=1.2", frame.YUV420P},
		{"unsharp", frame.YUV420P},
		{"unsharp", frame.YUV420P10},
		{"unsharp=13:13:1", frame.YUV420P},
		{"unsharp,eq=contrast=1.1", frame.YUV420P},
		{"scale=1280:720,unsharp,eq=contrast=1.1:brightness=0.02:saturation=1.2", frame.YUV420P},
	}
	variants := kernels.Variants()
	for i := len(variants) - 1; i >= 0; i-- {
		for _, c := range cases {
			b.Run(variants[i].Name+"/"+string(c.in)+"/"+c.chain, func(b *testing.B) {
				benchmark(b, variants[i], c.chain, frame.Info{Format: c.in, Width: 1920, Height: 1080})
			})
		}
	}
}

func benchmark(b *testing.B, v kernels.Variant, chain string, in frame.Info) {
	s := newSetup(b, v, chain, in)
	b.SetBytes(int64(s.srcLayout.Size + s.plan.OutLayout.Size))
	for b.Loop() {
		if err := s.stream.Submit(&s.commands); err != nil {
			b.Fatal(err)
		}
	}
}

// setup is a chain with its buffers and one frame's commands.
type setup struct {
	plan      *kernels.Plan
	bound     *kernels.Bound
	srcLayout frame.Layout
	src, dst  kernels.Image
	scratch   []gpu.Addr
	tables    gpu.Addr
	stream    gpu.Stream
	commands  gpu.Commands
	host      [][]byte // source, destination, scratch…, tables
}

func newSetup(tb testing.TB, v kernels.Variant, chain string, in frame.Info) *setup {
	tb.Helper()
	must := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	dev := kerneltest.NewHost()
	prog, err := dev.Load(gpu.Module{Host: v.Kernels})
	must(err)
	c, err := kernels.Parse(chain)
	must(err)
	s := &setup{}
	s.plan, err = c.Plan(in, "")
	must(err)
	s.bound, err = s.plan.Bind(prog)
	must(err)
	s.srcLayout, err = frame.NewLayout(in.Format, in.Width, in.Height, 64)
	must(err)
	alloc := func(content []byte, n int) gpu.Addr {
		h, err := dev.AllocHost(n, gpu.Pinned)
		must(err)
		tb.Cleanup(func() { _ = h.Free() })
		s.host = append(s.host, unsafe.Slice((*byte)(h.Ptr()), n))
		copy(s.host[len(s.host)-1], content)
		return h.Addr()
	}
	s.src = kernels.At(s.srcLayout, alloc(noise(s.srcLayout.Size), s.srcLayout.Size))
	s.dst = kernels.At(s.plan.OutLayout, alloc(noise(s.plan.OutLayout.Size), s.plan.OutLayout.Size))
	for _, n := range s.plan.Scratch {
		s.scratch = append(s.scratch, alloc(noise(n), n))
	}
	s.tables = alloc(s.plan.Tables, len(s.plan.Tables))
	s.stream, err = dev.NewStream()
	must(err)
	s.bound.Record(&s.commands, s.src, s.dst, s.scratch, s.tables)
	return s
}
