package wddm_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
	"pgregory.net/rapid"
)

// churner draws a card that churn runs on, and the numbers of its closed form.
type churner struct {
	p        wddm.Params
	size     int64
	rate     int64 // frames per second
	delay    int64 // milliseconds
	inFlight int64
	headroom int64
}

func drawChurner(t *rapid.T) churner {
	c := churner{
		size:     rapid.Int64Range(1, 64<<20).Draw(t, "size"),
		rate:     rapid.Int64Range(1, 240).Draw(t, "rate"),
		delay:    rapid.Int64Range(0, 5000).Draw(t, "delay ms"),
		inFlight: rapid.Int64Range(1, 12).Draw(t, "in flight"),
		headroom: rapid.Int64Range(0, 4e9).Draw(t, "headroom"),
	}
	p, err := wddm.Parse(fmt.Sprintf("card-24g,headroom=%d,reclaim=%dms,in-flight=%d,ram=0,shared-total=16GB", c.headroom, c.delay, c.inFlight))
	if c.headroom == 0 {
		p, err = wddm.Parse(fmt.Sprintf("card-24g,reclaim=%dms,in-flight=%d,budget=5.65GB,ram=0,shared-total=16GB", c.delay, c.inFlight))
	}
	if err != nil {
		t.Fatal(err)
	}
	c.p = p
	return c
}

// The model against its closed form, worked out here from the words alone: a buffer per frame is
// charged from its frame on, until its frame has left (in-flight frames later) and the reclaim delay
// has passed. So pending = rate × size × delay, to the frame.
func TestClosedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChurner(t)
		charge := c.p.Charge(c.size, gpu.Pinned)
		// Frames whose buffer is pending: those that left less than delay ago.
		pendingFrames := (c.delay*c.rate + 999) / 1000
		steady := c.inFlight + pendingFrames
		fails := int64(-1)
		if steady*charge > c.headroom {
			fails = c.headroom / charge
		}

		card, err := wddm.Emulate(&fakeDevice{}, c.p, wddm.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer card.Close()
		card.Start(int(c.rate), 1)
		base := card.Snapshot().Domain[budget.DeviceLocal]
		frames := min(steady+20, 1500)
		for n := range frames {
			if err := card.Begin(context.Background(), n); err != nil {
				t.Fatal(err)
			}
			b, err := card.AllocHost(int(c.size), gpu.Pinned)
			if (err != nil) != (n == fails) {
				t.Fatalf("frame %d: %v; the closed form fails at %d", n, err, fails)
			}
			if err != nil {
				break
			}
			b.Free()
			card.End(n)
			d := card.Snapshot().Domain[budget.DeviceLocal]
			if want := min(n+1, steady) * charge; d.Usage-base.Usage != want {
				t.Fatalf("frame %d: %d charged, the closed form has %d", n, d.Usage-base.Usage, want)
			}
			if want := min(max(n+1-c.inFlight, 0), pendingFrames) * charge; d.Pending != want {
				t.Fatalf("frame %d: %d pending, the closed form has %d", n, d.Pending, want)
			}
		}
		f := c.p.Forecast(c.size, gpu.Pinned, c.rate, 1)
		if f.FailsAt != fails || f.Frames != steady || f.Peak != steady*charge {
			t.Fatalf("the forecast is %+v; want failing at %d, %d frames", f, fails, steady)
		}
	})
}

// run churns with real concurrency: frames end on goroutines of their own, in any order, with up to
// lanes of them at once. It returns the books at every frame.
func run(t testing.TB, spec string, frames, lanes int, seed uint64) (series []wddm.Snapshot, failed int) {
	c := open(t, spec, wddm.Options{})
	c.Start(30, 1)
	var wg sync.WaitGroup
	defer wg.Wait()
	free := make(chan struct{}, lanes)
	rnd := rand.New(rand.NewPCG(seed, 1))
	for n := range int64(frames) {
		free <- struct{}{}
		if err := c.Begin(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		series = append(series, c.Snapshot())
		b, err := c.AllocHost(frameBytes, gpu.Pinned)
		if err != nil {
			return series, int(n)
		}
		yields := rnd.IntN(50)
		wg.Go(func() {
			for range yields { // work of different length
				time.Sleep(0)
			}
			b.Free()
			c.End(n)
			<-free
		})
	}
	return series, -1
}

// The books are the same for every degree of real concurrency.
func TestConcurrencyDoesNotChangeTheBooks(t *testing.T) {
	for _, spec := range []string{"article-video", "card-24g,reclaim=1s,reclaim-jitter=500ms", "card-24g,reclaim=0", "article-video,in-flight=2,pressure=300MB@1s+2s"} {
		want, wantFailed := run(t, spec, 400, 1, 0)
		for seed := range uint64(4) {
			for _, lanes := range []int{1, 2, 5, 8, 32} {
				got, failed := run(t, spec, 400, lanes, seed)
				if failed != wantFailed || len(got) != len(want) {
					t.Fatalf("%s: with %d lanes it fails at %d, with one at %d", spec, lanes, failed, wantFailed)
				}
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%s: frame %d with %d lanes:\n%+v\nwith one:\n%+v", spec, i, lanes, got[i], want[i])
					}
				}
			}
		}
	}
}

// Time does not pass a frame whose memory should be free and is not.
func TestTimeWaitsForTheWork(t *testing.T) {
	c := open(t, "article-video,in-flight=2", wddm.Options{})
	c.Start(30, 1)
	ctx := context.Background()
	var held []gpu.HostBuffer
	for n := range int64(2) {
		c.Begin(ctx, n)
		b, err := c.AllocHost(frameBytes, gpu.Pinned)
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, b)
	}
	short, cancel := context.WithCancel(ctx)
	done := make(chan error)
	go func() { done <- c.Begin(short, 2) }()
	cancel()
	if err := <-done; err == nil {
		t.Fatal("frame 2 began although frame 0 still has its memory")
	}
	if s := c.Snapshot(); s.Frame != 1 {
		t.Errorf("frame %d", s.Frame)
	}
	go func() { done <- c.Begin(ctx, 2) }()
	held[0].Free()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	// A frame that keeps its memory says so.
	go func() { done <- c.Begin(ctx, 3) }()
	c.End(1)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := c.Snapshot().Domain[budget.DeviceLocal]; got.Live != 450e6+6320333 || got.Pending != 6320333 {
		t.Errorf("%+v", got)
	}
	held[1].Free() // late: booked now
	if got := c.Snapshot().Domain[budget.DeviceLocal]; got.Live != 450e6 || got.Pending != 2*6320333 {
		t.Errorf("%+v", got)
	}
}

func TestWaitingForNothingEnds(t *testing.T) {
	c := open(t, "article-video", wddm.Options{})
	for range 1 << 20 {
		if err := c.Wait(context.Background(), 50*time.Millisecond); err != nil {
			if err != wddm.ErrNothingPending {
				t.Error(err)
			}
			return
		}
	}
	t.Error("waits for ever")
}

// The frame's time is exact where floating point would drift.
func TestFrameTimes(t *testing.T) {
	c := open(t, "card-24g", wddm.Options{})
	c.Start(30000, 1001)
	for _, n := range []int64{1, 2, 30000, 3000000, 1e12} {
		if err := c.Begin(context.Background(), n); err != nil {
			t.Fatal(err)
		}
		want := time.Duration(n/30000*1001)*time.Second + time.Duration(n%30000*1001*1e9/30000)
		if got := c.Now(); got != want && want > 0 {
			t.Errorf("frame %d is at %d, want %d", n, got, want)
		}
	}
}
