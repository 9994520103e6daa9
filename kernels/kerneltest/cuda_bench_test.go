//go:build cuda && linux

package kerneltest_test

import (
	"testing"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cuda"
	"github.com/pinring/pinring/kernels"
)

// BenchmarkCUDA runs a chain's kernels on a 1080p picture in device memory, many frames a Submit, so
// that the time is the kernels' and not the launches'.
func BenchmarkCUDA(b *testing.B) {
	for _, f := range []frame.PixelFormat{frame.YUV420P, frame.YUV420P10} {
		for _, chain := range []string{
			"scale=1280:720", "scale=640:360", "scale=3840:2160", "scale=1280:720,format=rgb24", "unsharp",
			"eq=contrast=1.1", "eq=gamma=1.2", "scale=1280:720,unsharp,eq=contrast=1.1:brightness=0.02:saturation=1.2",
		} {
			b.Run(string(f)+"/"+chain, func(b *testing.B) {
				onCard(b, chain, frame.Info{Format: f, Width: 1920, Height: 1080})
			})
		}
	}
}

// perSubmit is how many frames go into a command list.
const perSubmit = 50

func onCard(b *testing.B, chain string, in frame.Info) {
	card, err := cuda.Open(0)
	if err != nil {
		b.Skipf("no CUDA device: %v", err)
	}
	defer card.Close()
	prog, err := card.Load(kernels.Module())
	check(b, err)
	defer prog.Close()
	c, err := kernels.Parse(chain)
	check(b, err)
	plan, err := c.Plan(in, "")
	check(b, err)
	bound, err := plan.Bind(prog)
	check(b, err)
	l, err := frame.NewLayout(in.Format, in.Width, in.Height, kernels.RowAlign)
	check(b, err)
	var freed []gpu.Buffer
	defer func() {
		for _, m := range freed {
			_ = m.Free()
		}
	}()
	alloc := func(n int) gpu.Addr {
		m, err := card.Alloc(n)
		check(b, err)
		freed = append(freed, m)
		return m.Addr()
	}
	src, dst, tables := alloc(l.Size), alloc(plan.OutLayout.Size), alloc(len(plan.Tables))
	var scratch []gpu.Addr
	for _, n := range plan.Scratch {
		scratch = append(scratch, alloc(n))
	}
	stream, err := card.NewStream()
	check(b, err)
	defer stream.Close()
	upload(b, card, stream, tables, plan.Tables)
	var list gpu.Commands
	for range perSubmit {
		bound.Record(&list, kernels.At(l, src), kernels.At(plan.OutLayout, dst), scratch, tables)
	}
	b.SetBytes(int64(perSubmit * (l.Size + plan.OutLayout.Size)))
	for b.Loop() {
		check(b, stream.Submit(&list))
		check(b, stream.Synchronize())
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*perSubmit), "us/frame")
}

// upload copies bytes to the card.
func upload(b *testing.B, card gpu.Device, stream gpu.Stream, to gpu.Addr, bytes []byte) {
	h, err := card.AllocHost(len(bytes), gpu.Pinned)
	check(b, err)
	defer h.Free()
	copy(unsafe.Slice((*byte)(h.Ptr()), len(bytes)), bytes)
	var c gpu.Commands
	c.Copy(gpu.OpCopyH2D, to, h.Addr(), len(bytes))
	check(b, stream.Submit(&c))
	check(b, stream.Synchronize())
}

func check(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}
