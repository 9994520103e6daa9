package avtest_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/internal/av/avtest"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// kind is a device that files go through; open fails or skips when there is none.
type kind struct {
	name string
	open func(testing.TB) gpu.Device
}

// kinds: the host used like a card. Builds with CUDA add a real one.
var kinds = []kind{{"discrete", func(t testing.TB) gpu.Device { return gpu.Discrete(openCPU(t)) }}}

func openCPU(t testing.TB) gpu.Device {
	t.Helper()
	d, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// relay hands the frames of one pipeline to another.
type relay struct {
	frames chan *frame.Frame
	once   sync.Once
}

func newRelay() *relay { return &relay{frames: make(chan *frame.Frame, 2)} }

func (r *relay) end() { r.once.Do(func() { close(r.frames) }) }

func (r *relay) Format(f frame.PixelFormat) frame.PixelFormat { return f }
func (r *relay) FollowsSize() bool                            { return true }
func (r *relay) MaxHeld() int                                 { return cap(r.frames) + 8 }
func (r *relay) Partial()                                     {}
func (r *relay) Finish(context.Context) error                 { r.end(); return nil }

func (r *relay) Write(ctx context.Context, f *frame.Frame) error {
	select {
	case r.frames <- f:
		return nil
	case <-ctx.Done():
		f.Release()
		return ctx.Err()
	}
}

func (r *relay) Next(ctx context.Context) (*frame.Frame, error) {
	select {
	case f, ok := <-r.frames:
		if !ok {
			return nil, io.EOF
		}
		return f, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// drain lets go of what nobody took.
func (r *relay) drain() {
	for f := range r.frames {
		f.Release()
	}
}

// negatedTwice inverts every picture of a file on the device, brings it back, and does the same again:
// two pipelines in a row, since within one chain the planner would see that there is nothing to do. It
// gives the lines of the checksums.
func negatedTwice(t *testing.T, k kind, file string, most int64) ([]string, error) {
	t.Helper()
	dev := k.open(t)
	defer dev.Close()
	chain, err := kernels.Parse("negate")
	if err != nil {
		t.Fatal(err)
	}
	up, down := transfer.New(dev, transfer.Params{InFlight: 3}), transfer.New(dev, transfer.Params{InFlight: 3})
	src, err := decode.Open(t.Context(), decode.Params{Path: file, Stream: "v:0", Threads: 4, InFlight: 3, Lender: up})
	if err != nil {
		return nil, err
	}
	out := filepath.Join(t.TempDir(), "out.framemd5")
	sink, err := encode.Open(t.Context(), encode.Params{Output: "md5:" + out, Input: file})
	if err != nil {
		t.Fatal(err)
	}
	between := newRelay()
	g, ctx := errgroup.WithContext(t.Context())
	g.Go(func() error {
		defer between.end()
		_, err := pipeline.Run(ctx, pipeline.Params{Source: src, Sink: between, Device: dev, Staging: up, Chain: chain, InFlight: 3, MaxFrames: most})
		return err
	})
	g.Go(func() error {
		_, err := pipeline.Run(ctx, pipeline.Params{Source: between, Sink: sink, Device: dev, Staging: down, Chain: chain, InFlight: 3})
		return err
	})
	err = g.Wait()
	between.drain()
	for _, c := range []io.Closer{sink, src, down, up} {
		if cerr := c.Close(); cerr != nil {
			t.Error(cerr)
		}
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return avtest.Comparable(string(text)), nil
}

// TestThroughKernels is the part of the table that a GPU can be asked for: it needs no FFmpeg program
// and not the repository.
func TestThroughKernels(t *testing.T) {
	for _, file := range avtest.Files(t) {
		name := filepath.Base(file)
		if _, ok := exceptions[name]; ok {
			continue
		}
		for _, k := range kinds {
			if k.name == "discrete" {
				continue // TestMediaTable does that
			}
			t.Run(k.name+"/"+name, func(t *testing.T) { t.Log(throughKernels(t, k, file, avtest.Reference(t, file))) })
		}
	}
}
