package wddm_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

// A card of 141 GB plays one of 8 GB: the driver refuses, at the frame at which the ledger would,
// and after Close the card is as empty as before.
func TestBallast(t *testing.T) {
	for name, tail := range map[string]int64{"no tail": 0, "one granule": granule, "a long tail": 77*mib + 4096} {
		t.Run(name, func(t *testing.T) {
			dev := newSmallCard(141e9)
			dev.tail = tail
			before := dev.used
			c, b := emulate(t, dev, "article-video,mode=ballast", options(t))
			s := b.Stats()
			if free, want := dev.total-dev.used-dev.tail, int64(990e6)+128*mib; free < want || free >= want+2*granule {
				t.Errorf("%d bytes can be had, want %d", free, want)
			}
			if s.Tail < tail || s.Tail > tail+granule || s.Held != dev.used-before || dev.allocs > 200 {
				t.Errorf("%+v after %d allocations", s, dev.allocs)
			}
			c.Start(30, 1)
			failed, err := churn(t, c, 900)
			if failed != 156 {
				t.Errorf("fails at frame %d, want 156: %v", failed, err)
			}
			var oom *gpu.OutOfMemoryError
			var why *wddm.Refusal
			if !errors.As(err, &oom) || oom.Call != "cuMemAlloc" || oom.Code != 2 || oom.Requested != frameBytes || !errors.As(err, &why) || why.Frame != 156 {
				t.Errorf("%#v", err)
			}
			if free := dev.total - dev.used - dev.tail; free < 128*mib {
				t.Errorf("only %d bytes are left to the driver", free)
			}
			if s := b.Stats(); s.Refusals != 1 || s.Outside != 0 {
				t.Errorf("%+v", s)
			}
			for range 2 {
				if err := c.Close(); err != nil || dev.used != before {
					t.Errorf("%d bytes in use after Close, %d before: %v", dev.used, before, err)
				}
			}
		})
	}
}

// What is reclaimed is free on the real card again.
func TestBallastFollowsReclaim(t *testing.T) {
	dev := newSmallCard(24e9)
	c, b := emulate(t, dev, "article-video,mode=ballast,sticky=off", options(t))
	defer c.Close()
	c.Start(30, 1)
	at := b.Stats().Held
	if failed, _ := churn(t, c, 900); failed != 156 {
		t.Fatalf("fails at frame %d", failed)
	}
	if grown := b.Stats().Held - at; grown < 985e6 || grown > 990e6 {
		t.Errorf("the ballast grew by %d", grown)
	}
	if err := c.Wait(t.Context(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(nil); err != nil || b.Stats().Held != at {
		t.Errorf("after the reclaim %d are held, %d at first: %v", b.Stats().Held, at, err)
	}
	if _, err := c.AllocHost(frameBytes, gpu.Pinned); err != nil {
		t.Error(err)
	}
}

// Device memory of the user takes the place of ballast: it is not in use twice, and the driver
// refuses it where the ledger would.
func TestBallastMakesRoomForDeviceMemory(t *testing.T) {
	dev := newSmallCard(24e9)
	c, b := emulate(t, dev, "article-model,mode=ballast", options(t))
	defer c.Close()
	full, held := dev.used, b.Stats().Held
	x, err := c.Alloc(600e6) // of 1.4 GB
	if err != nil {
		t.Fatal(err)
	}
	if got := dev.used - full; got < 600e6-granule || got > 600e6+granule {
		t.Errorf("600 MB of device memory make %d", got)
	}
	if s := b.Stats(); held-s.Held > granule || s.Held > held {
		t.Errorf("the ballast went from %d to %d", held, s.Held)
	}
	if h, err := c.AllocHost(4096, gpu.Pinned); err != nil || b.Stats().Outside > granule || b.Stats().Outside < -granule {
		t.Errorf("our own memory counts as others': %+v, %v", b.Stats(), err)
	} else if err := h.Free(); err != nil {
		t.Error(err)
	} else if err := c.Wait(t.Context(), 20*time.Second); err != nil { // the reclaim
		t.Error(err)
	}
	if _, err := c.Alloc(800e6 + int(granule)); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("beyond the limit: %v", err)
	}
	y, err := c.Alloc(800e6)
	if err != nil {
		t.Fatalf("up to the limit: %v", err)
	}
	if _, err := c.AllocHost(4<<20, gpu.Pinned); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("on a full card: %v", err)
	}
	if err := errors.Join(x.Free(), y.Free()); err != nil {
		t.Error(err)
	}
	if _, err := c.AllocHost(1000e6, gpu.Pinned); err != nil {
		t.Error(err)
	}
	if s := b.Stats(); s.Outside > granule || s.Outside < -granule {
		t.Errorf("our own memory counts as others': %+v", s)
	}
	last, err := c.Alloc(4 << 20)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := last.Free(); err != nil || dev.used != 600*mib { // after Close, as devices allow
		t.Errorf("%d in use: %v", dev.used, err)
	}
}

// The limit that Start sets holds on the real card, too: what the set-up took for good does not move
// the failing frame.
func TestBallastFollowsTheLimit(t *testing.T) {
	dev := newSmallCard(24e9)
	c, _ := emulate(t, dev, "article-video,mode=ballast", options(t))
	defer c.Close()
	for range 10 {
		if _, err := c.AllocHost(10e6, gpu.Pinned); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Alloc(10e6); err != nil {
			t.Fatal(err)
		}
	}
	c.Start(30, 1)
	if free, want := dev.total-dev.used, int64(990e6)+128*mib; free < want || free > want+2*granule {
		t.Errorf("after the set-up %d bytes are free, want %d", free, want)
	}
	if failed, err := churn(t, c, 900); failed != 156 {
		t.Errorf("fails at frame %d: %v", failed, err)
	}
}

// Others take and free memory: it is made up for, told, and the failing frame is the same.
func TestBallastAndOthers(t *testing.T) {
	for _, change := range []int64{1 << 30, -400 * mib, 10 * mib} {
		dev := newSmallCard(24e9)
		var notes []string
		o := options(t)
		o.Note = func(s string) { notes = append(notes, s) }
		c, b := emulate(t, dev, "article-video,mode=ballast", o)
		c.Start(30, 1)
		if failed, err := churn(t, c, 50); failed != -1 {
			t.Fatal(err)
		}
		dev.used += change
		frames := int64(50)
		for ; frames < 900; frames++ {
			if err := c.Begin(t.Context(), frames); err != nil {
				t.Fatal(err)
			}
			m, err := c.AllocHost(frameBytes, gpu.Pinned)
			if err != nil {
				break
			}
			m.Free()
			c.End(frames)
		}
		if frames != 156 || b.Stats().Outside != change {
			t.Errorf("others take %d: fails at frame %d, %+v", change, frames, b.Stats())
		}
		if told := len(notes) == 2; told != (change > 64*mib || change < -64*mib) {
			t.Errorf("others take %d: %q", change, notes)
		}
		if err := c.Close(); err != nil || dev.used != 600*mib+change {
			t.Errorf("%d in use after Close: %v", dev.used, err)
		}
	}
}

// When others take more than the ballast has, it says so: device memory is refused early. Pinned
// memory takes none, and is refused where the ledger would.
func TestBallastWithNothingLeft(t *testing.T) {
	dev := newSmallCard(8e9)
	var notes []string
	o := options(t)
	o.Note = func(s string) { notes = append(notes, s) }
	c, b := emulate(t, dev, "article-video,mode=ballast", o)
	c.Start(30, 1)
	for range 7 { // 6.2 GB are ballast, 1.1 GB are left
		dev.used += 1e9
		m, err := c.AllocHost(4096, gpu.Pinned)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Free()
	}
	if b.Stats().Held != 0 || !strings.Contains(notes[len(notes)-1], "too early") {
		t.Errorf("%+v, %q", b.Stats(), notes)
	}
	if _, err := c.Alloc(900e6); !errors.Is(err, gpu.ErrOutOfMemory) { // of 990 MB, but 370 MB are left
		t.Errorf("%v", err)
	}
	failed, err := churn(t, c, 900)
	if !errors.Is(err, gpu.ErrOutOfMemory) || failed != 156 {
		t.Errorf("frame %d, %v", failed, err)
	}
	if err := c.Close(); err != nil || dev.used != 600*mib+7e9 {
		t.Errorf("%d in use after Close: %v", dev.used, err)
	}
}

func TestBallastIsExclusive(t *testing.T) {
	dev := newSmallCard(24e9)
	o := options(t)
	c, _ := emulate(t, dev, "article-video,mode=ballast", o)
	_, err := wddm.NewBallast(dev, o)
	var e *wddm.BallastError
	if !errors.Is(err, wddm.ErrBallastBusy) || !errors.As(err, &e) || !strings.Contains(err.Error(), "process") {
		t.Errorf("a second one: %v", err)
	}
	other := newSmallCard(24e9)
	other.info.UUID, other.info.PCI = "", "0000:3b:00.0"
	b, err := wddm.NewBallast(other, o)
	if err != nil {
		t.Fatalf("another card: %v", err)
	}
	if err := errors.Join(b.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	if b, err = wddm.NewBallast(dev, o); err != nil {
		t.Fatalf("after Close: %v", err)
	}
	b.Close()
	if err := b.Hold(1); err == nil {
		t.Error("Hold after Close")
	}
}

func TestBallastIsRefused(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(*smallCard, *wddm.BallastOptions)
		want   error
	}{
		{"others", func(_ *smallCard, o *wddm.BallastOptions) {
			o.OthersBytes = func() (int64, bool, error) { return 1, true, nil }
		}, wddm.ErrCardInUse},
		{"unknown others", func(d *smallCard, o *wddm.BallastOptions) { o.OthersBytes = nil; d.used = 3e9 }, wddm.ErrCardInUse},
		{"unknown, but empty", func(_ *smallCard, o *wddm.BallastOptions) {
			o.OthersBytes = func() (int64, bool, error) { return 0, false, nil }
		}, nil},
		{"forced", func(_ *smallCard, o *wddm.BallastOptions) {
			o.Force, o.OthersBytes = true, func() (int64, bool, error) { return 1, true, nil }
		}, nil},
		{"cannot be asked", func(_ *smallCard, o *wddm.BallastOptions) {
			o.OthersBytes = func() (int64, bool, error) { return 0, false, errCard }
		}, errCard},
		{"no card", func(d *smallCard, _ *wddm.BallastOptions) { d.info.Kind = gpu.CPU }, wddm.ErrNoCard},
		{"cannot be warmed up", func(_ *smallCard, o *wddm.BallastOptions) {
			o.Warm = func(gpu.Device) error { return errCard }
		}, errCard},
		{"small", func(d *smallCard, _ *wddm.BallastOptions) { d.total = 1700e6 }, wddm.ErrCardTooSmall},
	} {
		dev := newSmallCard(24e9)
		o := options(t)
		x.change(dev, &o)
		before := dev.used
		b, err := wddm.NewBallast(dev, o)
		if err == nil {
			p, _ := wddm.Parse("article-video,mode=ballast")
			var c *wddm.Card
			if c, err = wddm.Emulate(dev, p, wddm.Options{Backend: b}); err == nil {
				c.Close()
			}
			b.Close()
		}
		if !errors.Is(err, x.want) || (err == nil) != (x.want == nil) || dev.used != before {
			t.Errorf("%s: %v, want %v; %d in use", x.name, err, x.want, dev.used-before)
		}
		// The lock has gone in any case.
		dev.info.Kind = gpu.CUDA
		if b, err := wddm.NewBallast(dev, wddm.BallastOptions{Dir: o.Dir, Force: true}); err != nil {
			t.Errorf("%s: afterwards: %v", x.name, err)
		} else {
			b.Close()
		}
	}
	for _, o := range []wddm.BallastOptions{{Margin: -1}, {Granule: 1}, {Granule: 1 << 40}} {
		if _, err := wddm.NewBallast(newSmallCard(24e9), o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	bad := options(t)
	bad.Dir = bad.Dir + "/file"
	if err := os.WriteFile(bad.Dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := wddm.NewBallast(newSmallCard(24e9), bad); err == nil || !strings.Contains(err.Error(), "PINRING_RUNTIME_DIR") {
		t.Errorf("%v", err)
	}
}

// The card is warmed up while it is empty.
func TestBallastWarmsUpFirst(t *testing.T) {
	dev := newSmallCard(24e9)
	o := options(t)
	calls := 0
	o.Warm = func(d gpu.Device) error {
		calls++
		if d != gpu.Device(dev) || dev.used != 600*mib {
			t.Errorf("%d in use at the warm-up", dev.used)
		}
		dev.used += 32 * mib // modules
		return nil
	}
	c, b := emulate(t, dev, "article-video,mode=ballast", o)
	if calls != 1 || b.Stats().Outside != 0 {
		t.Errorf("%d calls, %+v", calls, b.Stats())
	}
	if err := c.Close(); err != nil || dev.used != 632*mib {
		t.Errorf("%d in use: %v", dev.used, err)
	}
}

// Pressure beyond the limit fills the card, and is no failure of the meter.
func TestBallastUnderPressure(t *testing.T) {
	dev := newSmallCard(24e9)
	c, _ := emulate(t, dev, "article-model,mode=ballast,pressure=2GB@1s+5s", options(t))
	defer c.Close()
	if err := c.Wait(t.Context(), 2*time.Second); err != nil {
		t.Fatal(err)
	}
	r, err := c.Read(nil)
	if err != nil || r[0].Domain != budget.DeviceLocal || r[0].Headroom >= 0 {
		t.Errorf("%v, %v", r, err)
	}
	if free := dev.total - dev.used; free < 128*mib || free > 128*mib+2*granule {
		t.Errorf("%d bytes are free under pressure", free)
	}
	if _, err := c.AllocHost(1, gpu.Pinned); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("%v", err)
	}
	if err := c.Wait(t.Context(), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := c.AllocHost(frameBytes, gpu.Pinned); err != nil {
		t.Errorf("after the pressure: %v", err)
	}
}

// A meter that cannot be followed, since others have all of the card, still tells its books.
func TestBallastUnderPressureWithNothingLeft(t *testing.T) {
	dev := newSmallCard(8e9)
	c, b := emulate(t, dev, "article-model,mode=ballast,pressure=2GB@1s+5s", options(t))
	defer c.Close()
	for range 3 { // until the ballast has nothing left to give back
		dev.used = dev.total - 50*mib
		if _, err := c.AllocHost(4096, gpu.Pinned); err != nil {
			t.Fatal(err)
		}
	}
	dev.used = dev.total - 50*mib
	if err := c.Wait(t.Context(), time.Second); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Read(nil); err != nil || r[0].Headroom >= 0 {
		t.Errorf("%v, %v", r, err)
	}
	if s := b.Stats(); s.Refusals != 1 || s.Held != 0 {
		t.Errorf("%+v", s)
	}
}

// A driver that fails anywhere while the card is filled leaves nothing behind, and it may be tried
// again.
func TestBallastFillFails(t *testing.T) {
	clean := newSmallCard(24e9)
	for n := 0; n <= clean.allocs; n++ {
		dev := newSmallCard(24e9)
		if n == 0 {
			dev = clean
		}
		b, err := wddm.NewBallast(dev, options(t))
		if err != nil {
			t.Fatal(err)
		}
		b.Bound(8e9)
		if n > 0 {
			dev.failAlloc = n
			if err := b.Hold(7e9); !errors.Is(err, errCard) || dev.used != 600*mib || b.Stats().Held != 0 {
				t.Errorf("allocation %d: %v; %d in use", n, err, dev.used)
			}
		}
		if err := b.Hold(7e9); err != nil || dev.total-dev.used > 1e9+130*mib {
			t.Errorf("again: %v; %d free", err, dev.total-dev.used)
		}
		if err := b.Close(); err != nil || dev.used != 600*mib {
			t.Errorf("%v; %d in use", err, dev.used)
		}
	}
}

// A driver that gives no large pieces is filled with small ones.
func TestBallastInSmallPieces(t *testing.T) {
	dev := newSmallCard(4e9)
	dev.largest = 1300 * mib // enough for what is left, so that the tail is found
	c, b := emulate(t, dev, "article-video,mode=ballast", options(t))
	before := b.Stats().Held
	dev.largest = 2 * mib
	c.Start(30, 1)
	failed, err := churn(t, c, 900)
	if failed < 140 || failed > 156 { // the probe wants the margin in one piece
		t.Errorf("frame %d: %v", failed, err)
	}
	if b.Stats().Held <= before {
		t.Error("nothing was held")
	}
	if err := c.Close(); err != nil || dev.used != 600*mib {
		t.Errorf("%d in use: %v", dev.used, err)
	}
}
