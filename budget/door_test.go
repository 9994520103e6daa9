package budget

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// orderedClock wants what a virtual clock wants: frames that begin in order, each once.
type orderedClock struct {
	handClock
	begun []int64
}

func (c *orderedClock) Begin(ctx context.Context, n int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = append(c.begun, n)
	return ctx.Err()
}

// Streams that number their frames alike do not meet: the clock sees one row of frames, each frame
// that begins ends, and what the streams are told adds up to what the guard counts.
func TestDoorsNumberFramesInOneRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		streams := rapid.IntRange(1, 5).Draw(t, "streams")
		frames := rapid.IntRange(1, 30).Draw(t, "frames")
		c := &orderedClock{}
		p := NewPanel()
		p.Attach(&scripted{name: "m", readings: local(GiB, 8*GiB)}, 0)
		g, err := NewGuard(DefaultConfig(), p, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		doors := make([]*Door, streams)
		var all sync.WaitGroup
		for i := range doors {
			doors[i] = g.Door()
			all.Add(1)
			go func(d *Door) {
				defer all.Done()
				for n := range int64(frames) {
					if err := d.Admit(context.Background(), n, KiB); err != nil {
						return
					}
					d.Allocated(n)
					d.Done(n)
				}
			}(doors[i])
		}
		all.Wait()
		total := int64(streams * frames)
		slices.Sort(c.ended)
		for n := range total {
			if int64(len(c.begun)) != total || c.begun[n] != n || c.ended[n] != n {
				t.Fatalf("begun %v, ended %v", c.begun, c.ended)
			}
		}
		var sum int64
		for _, d := range doors {
			s := d.Summary()
			sum += s.Frames
			if s.Limiting.Headroom < g.Summary().Limiting.Headroom || !s.Limited {
				t.Errorf("a stream saw %v, the guard %v", s.Limiting, g.Summary().Limiting)
			}
		}
		if _, inside, _, _ := g.Live(); sum != g.Summary().Frames || sum != total || inside != 0 {
			t.Errorf("streams count %d frames, the guard %d of %d, %d still inside", sum, g.Summary().Frames, total, inside)
		}
	})
}

// A stream's summary has what happened at its own door only, in its own numbers.
func TestDoorTellsItsOwnStream(t *testing.T) {
	m := &scripted{name: "m", readings: local(GiB, 8*GiB)}
	cfg := DefaultConfig()
	cfg.Policy = Fail
	g := newGuard(t, cfg, m, &handClock{}, nil)
	calm, late := g.Door(), g.Door()
	for n := range int64(3) {
		if err := calm.Admit(context.Background(), n, 0); err != nil {
			t.Fatal(err)
		}
		calm.Done(n)
	}
	m.readings = local(8*GiB, 8*GiB)
	var ex *ExhaustedError
	if err := late.Admit(context.Background(), 0, MiB); !errors.As(err, &ex) || ex.Frame != 0 {
		t.Fatalf("a frame without room: %v", err)
	}
	if s := calm.Summary(); len(s.Transitions) != 0 || s.Throttled != 0 || s.Frames != 3 || s.Limiting.Headroom != 7*GiB {
		t.Errorf("the stream that was through: %+v", s)
	}
	if s := late.Summary(); len(s.Transitions) == 0 || s.Transitions[0].Frame != 0 || s.Frames != 0 || s.Throttled == 0 || s.Limiting.Headroom != 0 {
		t.Errorf("the stream that met the wall: %+v", s)
	}
}

// What a broken stream leaves inside does not hold up the others.
func TestClosedDoorLeavesNothingInside(t *testing.T) {
	cfg := DefaultConfig()
	cfg.MaxInFlight = 2
	c := &handClock{}
	g := newGuard(t, cfg, &scripted{name: "m", readings: local(GiB, 8*GiB)}, c, nil)
	broken, other := g.Door(), g.Door()
	for n := range int64(2) {
		if err := broken.Admit(context.Background(), n, MiB); err != nil {
			t.Fatal(err)
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if err := other.Admit(gone, 0, MiB); !errors.Is(err, context.Canceled) {
		t.Fatalf("a full window: %v", err)
	}
	broken.Close()
	broken.Close()
	broken.Done(0) // too late, and ignored
	for n := range int64(2) {
		if err := other.Admit(context.Background(), n, MiB); err != nil {
			t.Fatal(err)
		}
		other.Done(n)
	}
	if _, inside, _, _ := g.Live(); inside != 0 || g.reserved != 0 {
		t.Errorf("%d frames inside, %d bytes reserved", inside, g.reserved)
	}
}
