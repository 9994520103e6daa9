package wddm_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

// Whatever call of the driver fails, whenever: the card is empty afterwards, the lock is gone, and
// the failure is told as what it is.
func TestBallastFaults(t *testing.T) {
	run := func(dev *smallCard) (err error) {
		o := options(t)
		o.Note = nil
		b, err := wddm.NewBallast(dev, o)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, b.Close()) }()
		p, _ := wddm.Parse("article-model,mode=ballast,reclaim=1s")
		c, err := wddm.Emulate(dev, p, wddm.Options{Backend: b})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		c.Start(30, 1)
		for n := range int64(40) {
			if err := c.Begin(t.Context(), n); err != nil {
				return err
			}
			h, err := c.AllocHost(frameBytes, gpu.Pinned)
			if err != nil {
				return err
			}
			d, err := c.Alloc(frameBytes)
			if err != nil {
				return errors.Join(err, h.Free())
			}
			err = errors.Join(h.Free(), d.Free())
			if e := d.Free(); err != nil { // a free that failed may be tried again
				return errors.Join(err, e)
			}
			c.End(n)
			if _, err := c.Read(nil); err != nil {
				return err
			}
		}
		return nil
	}
	clean := newSmallCard(3e9)
	if err := run(clean); err != nil {
		t.Fatal(err)
	}
	inject := func(what string, calls int, set func(*smallCard, int)) {
		for n := 1; n <= calls; n++ {
			dev := newSmallCard(3e9)
			set(dev, n)
			err := run(dev)
			if errors.Is(err, gpu.ErrOutOfMemory) {
				t.Errorf("%s %d of %d fails and is reported as out of memory: %v", what, n, calls, err)
			}
			if err == nil || !errors.Is(err, errCard) {
				t.Errorf("%s %d of %d fails and is not reported: %v", what, n, calls, err)
			}
			// A free that fails once, at Close, leaves one piece to the end of the process.
			if left := dev.used - 600*mib; left != 0 && (what != "free" || left > 1<<30) {
				t.Errorf("%s %d of %d fails: %d bytes left", what, n, calls, left)
			}
		}
	}
	inject("alloc", clean.allocs, func(d *smallCard, n int) { d.failAlloc = n })
	inject("free", clean.frees, func(d *smallCard, n int) { d.failFree = n })
	inject("info", clean.infos, func(d *smallCard, n int) { d.failInfo = n })
	t.Logf("%d allocations, %d frees, %d questions", clean.allocs, clean.frees, clean.infos)
}

// For any sequence of holds, limits, device memory and doings of others: the driver is never asked
// beyond what it has, its verdict is the ledger's to the granule, the margin stays free, and after
// Close all is as before.
func TestBallastProperties(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo*mib, hi*mib).Draw(t, name) }
		runs++
		dev := newSmallCard(size("card", 4000, 20000))
		dev.info.UUID = fmt.Sprint("GPU-", runs)
		dev.tail = size("tail", 0, 100)
		margin := size("margin", 1, 200)
		b, err := wddm.NewBallast(dev, wddm.BallastOptions{Dir: dir, Force: true, Margin: margin})
		if err != nil {
			t.Fatal(err)
		}
		limit := size("limit", 500, 1000)
		held := size("first", 0, 500)
		b.Bound(limit)
		if err := b.Hold(held); err != nil {
			t.Fatal(err)
		}
		var real []gpu.Buffer
		inUse := int64(0) // of real, as held counts it
		check := func() {
			// To the granule, until the driver is asked again near the limit: others take odd sizes.
			if free := dev.total - dev.used - dev.tail; free < margin-granule {
				t.Fatalf("%d bytes can be had, the margin is %d", free, margin)
			}
			if want := limit - held + margin; dev.total-dev.used-dev.tail > want+3*granule {
				t.Fatalf("%d bytes can be had, %d are wanted", dev.total-dev.used-dev.tail, want)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"hold": func(t *rapid.T) {
				want := inUse + rapid.Int64Range(0, limit+50*mib).Draw(t, "bytes")
				err := b.Hold(want)
				switch {
				case err == nil && want >= max(limit, held)+granule:
					t.Fatalf("%d granted; the limit is %d", want, limit)
				case err != nil && (want <= limit || !errors.Is(err, gpu.ErrOutOfMemory)):
					t.Fatalf("%d refused; the limit is %d: %v", want, limit, err)
				case err == nil:
					held = want
				}
				if held <= limit {
					check()
				}
			},
			"near": func(t *rapid.T) { // the limit, to the byte
				want := limit + rapid.Int64Range(-granule, 0).Draw(t, "below")
				if want < inUse {
					return
				}
				if err := b.Hold(want); err != nil {
					t.Fatalf("%d refused; the limit is %d: %v", want, limit, err)
				}
				held = want
				if err := b.Hold(limit + granule); !errors.Is(err, gpu.ErrOutOfMemory) {
					t.Fatalf("a granule beyond the limit: %v", err)
				}
			},
			"bound": func(t *rapid.T) {
				l := rapid.Int64Range(400*mib, 1100*mib).Draw(t, "limit")
				if l < held {
					return
				}
				limit = l
				b.Bound(limit)
				if err := b.Hold(held); err != nil {
					t.Fatal(err)
				}
				check()
			},
			"device": func(t *rapid.T) {
				n := rapid.Int64Range(1, 100*mib).Draw(t, "bytes")
				if held+n > limit {
					return
				}
				if err := b.Hold(held + n); err != nil {
					t.Fatal(err)
				}
				held += n
				err := b.Swap(n, func() error {
					x, err := dev.Alloc(int(n))
					real = append(real, x)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				inUse += n
			},
			"free": func(t *rapid.T) {
				if len(real) == 0 {
					return
				}
				x := real[len(real)-1]
				real = real[:len(real)-1]
				n := int64(x.Bytes())
				if err := b.Swap(-n, x.Free); err != nil {
					t.Fatal(err)
				}
				held, inUse = held-n, inUse-n
			},
			"others": func(t *rapid.T) {
				n := rapid.Int64Range(-100, 100).Draw(t, "MiB") * mib
				if dev.used+n < 600*mib || n > b.Stats().Held-200*mib || n > dev.total-dev.used {
					return
				}
				dev.used += n
				if err := b.Hold(held); err != nil {
					t.Fatal(err)
				}
			},
			"": func(t *rapid.T) {
				if dev.used > dev.total {
					t.Fatalf("%d of %d in use", dev.used, dev.total)
				}
			},
		})
		others := dev.used - b.Stats().Held
		for range 2 {
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if dev.used != others || b.Stats().Held != 0 {
			t.Fatalf("%d in use after Close, %d are others'", dev.used, others)
		}
	})
}
