//go:build linux && cgo

package pipeline_test

import (
	"context"
	"crypto/md5"
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var small = frame.Info{Format: frame.YUV420P, Width: 67, Height: 35, TimeBase: frame.Rational{Num: 1, Den: 50}}

func open(t testing.TB) gpu.Device {
	t.Helper()
	d, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("device: %v", err)
		}
	})
	return d
}

func parse(t testing.TB, chain string) kernels.Chain {
	t.Helper()
	c, err := kernels.Parse(chain)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// run drives src into snk through chain; adjust may change the params.
func run(t *testing.T, dev gpu.Device, src *frametest.Source, snk *sink, chain string, adjust func(*pipeline.Params, *context.Context)) (*pipeline.Result, error) {
	t.Helper()
	p := pipeline.Params{Source: src, Sink: snk, Device: dev, Chain: parse(t, chain), InFlight: 3}
	p.Staging = transfer.New(dev, transfer.Params{InFlight: p.InFlight, Poison: true})
	ctx := t.Context()
	if adjust != nil {
		adjust(&p, &ctx)
	}
	res, err := pipeline.Run(ctx, p)
	if gpu.Poisoned(err) {
		return res, err
	}
	snk.Finish(ctx) // lets go of held frames when the run broke off
	if cerr := p.Staging.Close(); cerr != nil {
		t.Errorf("staging: %v", cerr)
	}
	if n := src.Outstanding(); n != 0 {
		t.Errorf("%d frames were never released", n)
	}
	if res.Admitted != res.Delivered+res.Discarded {
		t.Errorf("counters do not add up: %+v", res.Counters)
	}
	if res.InFlight != 0 {
		t.Errorf("%d frames in flight after the end", res.InFlight)
	}
	return res, err
}

// sums are the checksums of the source's frames, changed by op (nil: as they are).
func sums(t *testing.T, info frame.Info, n int, op func([]byte)) (out [][md5.Size]byte) {
	t.Helper()
	src := frametest.NewSource(t, info, int64(n))
	for range n {
		f, err := src.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range f.Planes[:f.NumPlanes] {
			for y := range p.Rows {
				if op != nil {
					op(p.Row(y))
				}
			}
		}
		out = append(out, frametest.Sum(f))
		f.Release()
	}
	return out
}

func invert(b []byte) {
	for i := range b {
		b[i] = 255 - b[i]
	}
}

func equalSums(t *testing.T, got, want [][md5.Size]byte) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("frame %d: pixels differ", i)
		}
	}
}

func TestDeliversEveryFrameInOrder(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		src, snk := frametest.NewSource(t, small, 40), &sink{}
		res, err := run(t, dev, src, snk, "negate", nil)
		if err != nil {
			t.Fatal(err)
		}
		equalSums(t, snk.sums, sums(t, small, 40, invert))
		for i, m := range snk.metas {
			if m.Index != int64(i) || m.PTS != 2*int64(i) || m.Duration != 2 {
				t.Errorf("frame %d arrived with %+v", i, m)
			}
		}
		if res.Delivered != 40 || !snk.finished || snk.infos[0].TimeBase != small.TimeBase {
			t.Errorf("%+v, finished %v, info %+v", res.Counters, snk.finished, snk.infos[0])
		}
	})
}

// Without anything to compute the picture is not touched: on the host it is the very same frame.
func TestEmptyChain(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		for _, f := range []frame.PixelFormat{"yuv420p", "bgra", "gbrp12le"} {
			info := small
			info.Format = f
			src, snk := frametest.NewSource(t, info, 12), &sink{}
			if _, err := run(t, dev, src, snk, "", nil); err != nil {
				t.Fatal(err)
			}
			equalSums(t, snk.sums, sums(t, info, 12, nil))
			if copied := snk.blocks[0] != nil; copied == dev.Info().Unified {
				t.Errorf("%s: copied is %v on a device with Unified %v", f, copied, dev.Info().Unified)
			}
		}
	})
}

// The road fills up behind a sink that waits, and not further.
func TestFramesInFlightAreBounded(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		full := make(chan struct{})
		src, snk := frametest.NewSource(t, small, 20), &sink{}
		snk.hook = func(f *frame.Frame) { <-full }
		res, err := run(t, dev, src, snk, "negate", func(p *pipeline.Params, _ *context.Context) {
			p.Source = watched{src, func(n int64) {
				if n == 5 { // three lanes, one waiting in the queue, one in the decoder's hand
					close(full)
				}
			}}
		})
		if err != nil || res.InFlightMax != 3 {
			t.Errorf("in flight at most %d, want 3 (%v)", res.InFlightMax, err)
		}
	})
}

// watched tells which frame is asked for.
type watched struct {
	*frametest.Source
	tell func(n int64)
}

func (w watched) Next(ctx context.Context) (*frame.Frame, error) {
	f, err := w.Source.Next(ctx)
	if err == nil {
		w.tell(f.Index + 1)
	}
	return f, err
}

func TestInterruptDrainsAndFinishes(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		src, snk := frametest.NewSource(t, small, 1<<40), &sink{}
		res, err := run(t, dev, src, snk, "negate", func(_ *pipeline.Params, ctx *context.Context) {
			c, cancel := context.WithCancel(*ctx)
			*ctx = c
			snk.hook = func(f *frame.Frame) {
				if f.Index == 9 {
					cancel()
				}
			}
		})
		if err != nil || !res.Interrupted || !snk.finished || res.Discarded != 0 || res.Delivered < 10 {
			t.Errorf("interrupted %v, finished %v, %+v, %v", res.Interrupted, snk.finished, res.Counters, err)
		}
		equalSums(t, snk.sums, sums(t, small, len(snk.sums), invert))
	})
}

func TestSourceFailureFinishesTheOutput(t *testing.T) {
	broken := errors.New("the disk went away")
	devices(t, func(t *testing.T, dev gpu.Device) {
		src, snk := frametest.NewSource(t, small, 7), &sink{}
		src.Err = broken
		res, err := run(t, dev, src, snk, "negate", nil)
		var se *pipeline.StageError
		if !errors.Is(err, broken) || !errors.As(err, &se) || se.Stage != "decode" || se.Frame != 7 {
			t.Errorf("error %v", err)
		}
		if res.Delivered != 7 || !snk.finished {
			t.Errorf("%+v, finished %v", res.Counters, snk.finished)
		}
	})
}

func TestSinkFailureEndsTheRun(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		src, snk := frametest.NewSource(t, small, 1<<40), &sink{failAt: 5}
		res, err := run(t, dev, src, snk, "negate", nil)
		var se *pipeline.StageError
		if !errors.Is(err, errSink) || !errors.As(err, &se) || se.Stage != "encode" || se.Frame != 5 {
			t.Errorf("error %v", err)
		}
		if res.Delivered != 5 {
			t.Errorf("%+v", res.Counters)
		}
	})
}

func TestFrameLimit(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		src, snk := frametest.NewSource(t, small, 100), &sink{}
		res, err := run(t, dev, src, snk, "negate", func(p *pipeline.Params, _ *context.Context) { p.MaxFrames = 11 })
		if err != nil || res.Delivered != 11 || res.Admitted != 11 || res.Interrupted {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

// Every kind of device call fails once, early and late; the error must name the device's failure,
// and every frame, slot and buffer must come home (run and open check that).
func TestDeviceFailures(t *testing.T) {
	ops := map[string]func(n int64) gpu.Faults{
		"host memory":   func(n int64) gpu.Faults { return gpu.Faults{AllocHost: n} },
		"device memory": func(n int64) gpu.Faults { return gpu.Faults{Alloc: n} },
		"copy":          func(n int64) gpu.Faults { return gpu.Faults{Copy: n} },
		"launch":        func(n int64) gpu.Faults { return gpu.Faults{Launch: n} },
	}
	for op, faults := range ops {
		for n := int64(1); n <= 12; n++ {
			dev := gpu.NewFailNth(gpu.Discrete(open(t)), faults(n))
			src, snk := frametest.NewSource(t, small, 30), &sink{}
			res, err := run(t, dev, src, snk, "scale=40:20,negate", nil)
			if err == nil && res.Delivered != 30 {
				t.Errorf("%v %d: no error, but %+v", op, n, res.Counters)
			}
			if err == nil && n == 1 {
				t.Errorf("%v: the first call's failure was not seen", op)
			}
		}
	}
}

// A device that never finishes must not hold the program for ever.
func TestHungDeviceIsGivenUp(t *testing.T) {
	host, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	dev := hanging{gpu.Discrete(host), release}
	src, snk := frametest.NewSource(t, small, 30), &sink{}
	var staging *transfer.Staging
	_, err = run(t, dev, src, snk, "negate", func(p *pipeline.Params, _ *context.Context) {
		p.HangLimit = 20 * time.Millisecond
		staging = p.Staging
	})
	if !gpu.Poisoned(err) || snk.finished {
		t.Errorf("error %v is not one after which nothing may be touched; output finished: %v", err, snk.finished)
	}
	close(release) // the test's own clean-up: what a hung card leaves behind ends with the process
	_ = staging.Close()
	_ = host.Close()
}

// hanging is a device whose events do not come until release.
type hanging struct {
	gpu.Device
	release chan struct{}
}

func (h hanging) NewEvent(timing bool) (gpu.Event, error) {
	e, err := h.Device.NewEvent(timing)
	return hangingEvent{e, h.release}, err
}

type hangingEvent struct {
	gpu.Event
	release chan struct{}
}

func (e hangingEvent) Synchronize() error {
	<-e.release
	return e.Event.Synchronize()
}

// A picture that changes its size and format on the way: a sink that follows gets each as it is,
// one that cannot gets all like the first.
func TestSizeChange(t *testing.T) {
	other := frame.Info{Format: frame.YUV444P, Width: 30, Height: 61, TimeBase: small.TimeBase}
	change := func(n int64) frame.Info {
		if n/5%2 == 1 {
			return other
		}
		return small
	}
	devices(t, func(t *testing.T, dev gpu.Device) {
		for _, follows := range []bool{true, false} {
			src, snk := frametest.NewSource(t, small, 50), &sink{follows: follows}
			src.Change = change
			res, err := run(t, dev, src, snk, "negate", nil)
			if err != nil || res.Delivered != 50 {
				t.Fatalf("follows %v: %+v, %v", follows, res.Counters, err)
			}
			for i, in := range snk.infos {
				want := small
				if follows {
					want = change(int64(i))
				}
				if in.Format != want.Format || in.Width != want.Width || in.Height != want.Height {
					t.Errorf("follows %v: frame %d is %dx%d %s", follows, i, in.Width, in.Height, in.Format)
				}
			}
			same := sums(t, small, 5, invert)
			equalSums(t, snk.sums[:5], same)
		}
	})
}

// Pictures that a chain only gives another name have that name, whether or not they are copied.
func TestOnlyTheNameChanges(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		in := small
		in.Format = frame.YUVJ420P
		snk := &sink{}
		if _, err := run(t, dev, frametest.NewSource(t, in, 5), snk, "format=yuv420p", nil); err != nil {
			t.Fatal(err)
		}
		for i, got := range snk.infos {
			if got.Format != frame.YUV420P || got.Color.Range != "pc" {
				t.Errorf("frame %d is %s of range %q", i, got.Format, got.Color.Range)
			}
		}
	})
}

// A sink that keeps frames must neither starve the road nor get a slot that the decoder needs.
func TestSinkThatHoldsFrames(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		for _, chain := range []string{"", "negate"} {
			src, snk := frametest.NewSource(t, small, 60), &sink{held: 8}
			op := invert
			if chain == "" {
				op = nil
			}
			if _, err := run(t, dev, src, snk, chain, nil); err != nil {
				t.Fatal(err)
			}
			equalSums(t, snk.sums, sums(t, small, 60, op))
		}
	})
}

// The sink's wish for a format is planned behind the chain.
func TestSinkFormat(t *testing.T) {
	devices(t, func(t *testing.T, dev gpu.Device) {
		src, snk := frametest.NewSource(t, small, 3), &sink{format: frame.NV12}
		res, err := run(t, dev, src, snk, "", nil)
		if err != nil || snk.infos[0].Format != frame.NV12 || res.Out.Format != frame.NV12 {
			t.Errorf("got %v, %v", snk.infos, err)
		}
	})
}

func TestChainErrorsNameThePlan(t *testing.T) {
	info := small
	info.Format = "pal8"
	dev := open(t)
	c, err := kernels.Parse("negate")
	if err != nil {
		t.Fatal(err)
	}
	st := transfer.New(dev, transfer.Params{})
	defer st.Close()
	_, err = pipeline.Run(t.Context(), pipeline.Params{Source: oneFrame{info}, Sink: &sink{}, Device: dev, Staging: st, Chain: c})
	var se *pipeline.StageError
	if !errors.As(err, &se) || se.Stage != "plan" {
		t.Errorf("error %v", err)
	}
}

// oneFrame gives frames without pixels, for runs that end before any is read.
type oneFrame struct{ info frame.Info }

func (s oneFrame) Next(context.Context) (*frame.Frame, error) {
	f := &frame.Frame{Info: s.info}
	f.Arm(nowhere{})
	return f, nil
}

type nowhere struct{}

func (nowhere) PutFrame(*frame.Frame) {}

// However the memory is had, the pixels are the same.
func TestStagingModes(t *testing.T) {
	modes := map[string]transfer.Mode{
		"pinned": {}, "registered": {Kind: gpu.Registered}, "mapped": {Kind: gpu.Mapped}, "managed": {Kind: gpu.Managed},
		"write-combined": {Kind: gpu.WriteCombined}, "pageable": {Kind: gpu.Pageable, PerFrame: true}, "churn": {PerFrame: true},
	}
	devices(t, func(t *testing.T, dev gpu.Device) {
		for name, m := range modes {
			for _, dir := range []string{"up", "down", "both"} {
				for _, chain := range []string{"", "negate"} {
					src, snk := frametest.NewSource(t, small, 20), &sink{}
					_, err := run(t, dev, src, snk, chain, func(p *pipeline.Params, _ *context.Context) {
						tp := transfer.Params{InFlight: p.InFlight, Poison: name != "write-combined"}
						if dir != "down" {
							tp.Up = m
						}
						if dir != "up" {
							tp.Down = m
						}
						_ = p.Staging.Close()
						p.Staging = transfer.New(dev, tp)
					})
					if errors.Is(err, gpu.ErrUnsupported) {
						t.Logf("%s: %v", name, err)
						continue
					}
					if err != nil {
						t.Fatalf("%s %s %q: %v", name, dir, chain, err)
					}
					op := invert
					if chain == "" {
						op = nil
					}
					equalSums(t, snk.sums, sums(t, small, 20, op))
				}
			}
		}
	})
}
