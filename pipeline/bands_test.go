//go:build linux && cgo

package pipeline_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/transfer"
)

// capped gives the run staging memory under a cap.
func capped(limit int64, notes *[]string, then func(*transfer.Params)) func(*pipeline.Params, *context.Context) {
	return func(p *pipeline.Params, _ *context.Context) {
		tp := transfer.Params{InFlight: p.InFlight, MaxBytes: limit, Poison: true, Note: func(s string) { *notes = append(*notes, s) }}
		if then != nil {
			then(&tp)
		}
		_ = p.Staging.Close()
		p.Staging = transfer.New(p.Device, tp)
	}
}

// Whatever the cap, the pixels are those of an unlimited run; what does not fit goes in bands, as
// many pictures as there are, and the cap holds.
func TestBands(t *testing.T) {
	type size struct {
		w, h int
		f    frame.PixelFormat
	}
	devices(t, func(t *testing.T, dev gpu.Device) {
		for _, in := range []size{{400, 201, "yuv420p"}, {233, 100, "yuv444p10le"}, {257, 129, "rgb24"}, {9000, 3, "nv12"}, {64, 64, "gbrp12le"}} {
			for _, chain := range []string{"", "negate", "scale=300:210"} {
				if in.f == "gbrp12le" && chain != "" {
					continue
				}
				info := frame.Info{Format: in.f, Width: in.w, Height: in.h, TimeBase: small.TimeBase}
				want := &sink{}
				if _, err := run(t, dev, frametest.NewSource(t, info, 7), want, chain, nil); err != nil {
					t.Fatal(err)
				}
				for _, pages := range []int64{4, 5, 40, 100} {
					bandedRun(t, dev, info, chain, pages*4096, want)
				}
			}
		}
	})
}

func bandedRun(t *testing.T, dev gpu.Device, info frame.Info, chain string, limit int64, want *sink) {
	t.Helper()
	var staging *transfer.Staging
	var notes []string
	snk := &sink{held: int(limit/4096) % 3}
	_, err := run(t, dev, frametest.NewSource(t, info, 7), snk, chain, func(p *pipeline.Params, ctx *context.Context) {
		capped(limit, &notes, nil)(p, ctx)
		staging = p.Staging
	})
	if err != nil {
		t.Fatalf("%v %q under %d bytes: %v", info, chain, limit, err)
	}
	equalSums(t, snk.sums, want.sums)
	up, down := staging.Banded()
	a := staging.Arena().Stats()
	if up%7 != 0 || down%7 != 0 || a.PeakBytes > limit || a.Bytes != 0 {
		t.Errorf("%v %q under %d bytes: %d up and %d down in bands, %+v", info, chain, limit, up, down, a)
	}
	said := strings.Join(notes, "\n")
	if strings.Contains(said, "go up in bands") != (up > 0) || strings.Contains(said, "come down in bands") != (down > 0) {
		t.Errorf("%d up and %d down in bands, and said was %q", up, down, said)
	}
	passes := chain == "" && dev.Info().Unified
	if limit == 4*4096 && info.Width*info.Height > 20_000 && !passes && (down == 0 || up == 0 && !dev.Info().Unified) {
		t.Errorf("%v %q under %d bytes: nothing went in bands", info, chain, limit)
	}
}

// Sizes that change on the way, some of which fit and some do not; all kinds of memory.
func TestBandsComeAndGo(t *testing.T) {
	change := func(n int64) frame.Info {
		info := small
		if n/3%2 == 1 {
			info.Width, info.Height = 640, 360
		}
		return info
	}
	dev := gpu.Discrete(open(t))
	for _, kind := range []gpu.HostKind{gpu.Pinned, gpu.Mapped, gpu.Managed, gpu.Registered} {
		for _, chain := range []string{"", "negate"} {
			var want [2]*sink
			for i, limit := range []int64{0, 64 << 10} {
				src, snk := frametest.NewSource(t, small, 30), &sink{follows: true}
				src.Change = change
				var notes []string
				var staging *transfer.Staging
				res, err := run(t, dev, src, snk, chain, func(p *pipeline.Params, ctx *context.Context) {
					capped(limit, &notes, func(tp *transfer.Params) { tp.Up.Kind, tp.Down.Kind = kind, kind })(p, ctx)
					staging = p.Staging
				})
				if err != nil || res.Delivered != 30 {
					t.Fatalf("%v under %d: %+v, %v", kind, limit, res.Counters, err)
				}
				up, down := staging.Banded()
				if n := int64(15 * i); up != n || down != n {
					t.Errorf("%v %q under %d: %d up and %d down in bands, want %d", kind, chain, limit, up, down, n)
				}
				want[i] = snk
			}
			equalSums(t, want[1].sums, want[0].sums)
		}
	}
}

// Each call of the device fails once, in every band up and down; all comes home (run and open check
// that), and no frame is delivered wrong.
func TestBandFailures(t *testing.T) {
	ops := map[string]func(n int64) gpu.Faults{
		"host memory":   func(n int64) gpu.Faults { return gpu.Faults{AllocHost: n} },
		"device memory": func(n int64) gpu.Faults { return gpu.Faults{Alloc: n} },
		"copy":          func(n int64) gpu.Faults { return gpu.Faults{Copy: n} },
		"launch":        func(n int64) gpu.Faults { return gpu.Faults{Launch: n} },
	}
	info := small
	info.Width, info.Height = 200, 150
	for op, faults := range ops {
		failed := 0
		for n := int64(1); n <= 40; n++ {
			dev := gpu.NewFailNth(gpu.Discrete(open(t)), faults(n))
			snk := &sink{}
			var notes []string
			res, err := run(t, dev, frametest.NewSource(t, info, 4), snk, "negate", capped(4*4096, &notes, nil))
			if err != nil {
				failed++
			} else if res.Delivered != 4 {
				t.Errorf("%s %d: no error, but %+v", op, n, res.Counters)
			}
			equalSums(t, snk.sums, sums(t, info, len(snk.sums), invert))
		}
		if failed == 0 {
			t.Errorf("no failure of %s was seen", op)
		}
	}
}

// An interrupt and a sink that fails in the middle of bands.
func TestBandsEndEarly(t *testing.T) {
	dev := gpu.Discrete(open(t))
	info := small
	info.Width, info.Height = 640, 360
	var notes []string
	snk := &sink{failAt: 3}
	if _, err := run(t, dev, frametest.NewSource(t, info, 100), snk, "negate", capped(1<<16, &notes, nil)); !errors.Is(err, errSink) {
		t.Errorf("error %v", err)
	}
	snk = &sink{}
	res, err := run(t, dev, frametest.NewSource(t, info, 1<<40), snk, "negate", func(p *pipeline.Params, ctx *context.Context) {
		capped(1<<16, &notes, nil)(p, ctx)
		c, cancel := context.WithCancel(*ctx)
		*ctx = c
		snk.hook = func(f *frame.Frame) {
			if f.Index == 3 {
				cancel()
			}
		}
	})
	if err != nil || !res.Interrupted || res.Discarded != 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

// A device that hangs while a band is on its way, up or down, is given up, too.
func TestHungDeviceInBandsIsGivenUp(t *testing.T) {
	host, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	dev := hanging{gpu.Discrete(host), release}
	info := small
	info.Width, info.Height = 640, 360
	src, snk := frametest.NewSource(t, info, 30), &sink{}
	var staging *transfer.Staging
	var notes []string
	_, err = run(t, dev, src, snk, "negate", func(p *pipeline.Params, ctx *context.Context) {
		capped(1<<16, &notes, nil)(p, ctx)
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
