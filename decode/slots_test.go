package decode_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av/avtest"
)

// TestSampleInSlots decodes the demo clip: every picture lies in a lent slot, on whole pages, with
// any number of threads, while some frames are held downstream.
func TestSampleInSlots(t *testing.T) {
	const inFlight = 3
	for _, threads := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			lender := &avtest.Lender{}
			s := open(t, decode.Params{Path: avtest.Sample(), Threads: threads, InFlight: inFlight, Lender: lender})
			if in := s.Input(); !in.UsesSlots || in.Threads != threads {
				t.Fatalf("slots %v, %d threads", in.UsesSlots, in.Threads)
			}
			var held []*frame.Frame
			n, last := 0, frame.NoPTS
			for f := next(t, s); f != nil; f = next(t, s) {
				checkSlot(t, f)
				if f.PTS <= last || f.Index != int64(n) {
					t.Fatalf("frame %d: pts %d after %d, index %d", n, f.PTS, last, f.Index)
				}
				n, last = n+1, f.PTS
				if held = append(held, f); len(held) > inFlight {
					held[0].Release()
					held = held[1:]
				}
				if testing.Short() && n == 150 {
					break
				}
			}
			if want := 900; n != want && !testing.Short() {
				t.Errorf("%d frames, want %d", n, want)
			}
			for _, f := range held {
				f.Release()
			}
			if st := s.Stats(); st.Fallbacks != 0 || st.Elsewhere != 0 || st.Generations != 1 || st.SlotsMax > st.SlotsAsked {
				t.Errorf("stats %+v", st)
			}
			s.Close()
			if left, _, err := lender.Lent(); left != 0 || err != nil {
				t.Errorf("%d slots did not come back, %v", left, err)
			}
		})
	}
}

// checkSlot checks that the planes lie within the frame's slot, and the slot on whole pages.
func checkSlot(t *testing.T, f *frame.Frame) {
	t.Helper()
	b := f.Block
	if b == nil {
		t.Fatalf("frame %d lies in no slot", f.Index)
	}
	if uintptr(b.Base)%4096 != 0 {
		t.Fatalf("slot at %p is not on a page", b.Base)
	}
	for i, p := range f.Planes[:f.NumPlanes] {
		from := uintptr(p.Data) - uintptr(b.Base)
		if to := from + uintptr(p.Stride*(p.Rows-1)+p.RowBytes); to > uintptr(b.Size) {
			t.Fatalf("frame %d: plane %d is at %d to %d of a slot of %d bytes", f.Index, i, from, to, b.Size)
		}
	}
}

// manyReferences is a clip whose decoder keeps sixteen pictures to predict from.
func manyReferences(t *testing.T) string {
	return avtest.Clip(t, "refs.mp4", "testsrc2=size=320x240:rate=25:duration=4", "-c:v", "libx264",
		"-x264-params", "ref=16:bframes=3:b-pyramid=strict:keyint=100", "-pix_fmt", "yuv420p")
}

// TestOneSlot lends far too few slots: the decoder goes on with memory of its own.
func TestOneSlot(t *testing.T) {
	clip := manyReferences(t)
	want := sums(t, decode.Params{Path: clip, Threads: 1})
	if len(want) != 100 {
		t.Fatalf("%d frames, want 100", len(want))
	}
	for _, threads := range []int{1, 2, 8} {
		for _, slots := range []int{1, 5} {
			lender := &avtest.Lender{Max: slots}
			s := open(t, decode.Params{Path: clip, Threads: threads, Lender: lender})
			var got []uint32
			for f := next(t, s); f != nil; f = next(t, s) {
				got = append(got, sum(f))
				f.Release()
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d threads, %d slots: the pictures differ", threads, slots)
			}
			if st := s.Stats(); st.Fallbacks == 0 || st.InSlots == 0 || st.SlotsMax != slots {
				t.Errorf("%d threads, %d slots: stats %+v", threads, slots, st)
			}
			s.Close()
			if left, _, err := lender.Lent(); left != 0 || err != nil {
				t.Errorf("%d slots did not come back, %v", left, err)
			}
		}
	}
}

// TestHeldFramesKeepContent holds frames back while the decoder goes on: what it writes meanwhile
// must not touch them.
func TestHeldFramesKeepContent(t *testing.T) {
	clip := manyReferences(t)
	for _, threads := range []int{1, 8} {
		lender := &avtest.Lender{}
		s := open(t, decode.Params{Path: clip, Threads: threads, InFlight: 20, Lender: lender})
		type held struct {
			f   *frame.Frame
			sum uint32
		}
		var ring []held
		drop := func() {
			if got := sum(ring[0].f); got != ring[0].sum {
				t.Errorf("%d threads: frame %d changed while it was held", threads, ring[0].f.Index)
			}
			ring[0].f.Release()
			ring = ring[1:]
		}
		for f := next(t, s); f != nil; f = next(t, s) {
			if ring = append(ring, held{f, sum(f)}); len(ring) > 20 {
				drop()
			}
		}
		for len(ring) > 0 {
			drop()
		}
		if st := s.Stats(); st.Fallbacks != 0 || st.Outstanding != 0 {
			t.Errorf("%d threads: stats %+v", threads, st)
		}
	}
}

// TestCloseWithFramesOut closes the source while frames are held, and releases them from other
// goroutines. The lender unmaps what comes back, so that a slot that came back too early, or one
// that something still writes to, ends the test.
func TestCloseWithFramesOut(t *testing.T) {
	clip := manyReferences(t)
	lender := &avtest.Lender{}
	s := open(t, decode.Params{Path: clip, Threads: 8, InFlight: 12, Lender: lender})
	var frames []*frame.Frame
	var want []uint32
	for range 12 {
		f := next(t, s)
		frames, want = append(frames, f), append(want, sum(f))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _, _ := lender.Lent(); left != len(frames) {
		t.Errorf("%d slots are out for %d frames", left, len(frames))
	}
	var wg sync.WaitGroup
	for i, f := range frames {
		wg.Go(func() {
			if sum(f) != want[i] {
				t.Errorf("frame %d changed after Close", i)
			}
			f.Release()
		})
	}
	wg.Wait()
	if left, _, err := lender.Lent(); left != 0 || err != nil {
		t.Errorf("%d slots did not come back, %v", left, err)
	}
	if st := s.Stats(); st.Outstanding != 0 || st.SlotsBusy != 0 {
		t.Errorf("stats %+v", st)
	}
}

// TestReleaseDuringClose releases frames while the source closes.
func TestReleaseDuringClose(t *testing.T) {
	clip := manyReferences(t)
	for range 10 {
		lender := &avtest.Lender{}
		s := open(t, decode.Params{Path: clip, Threads: 4, InFlight: 8, Lender: lender})
		var wg sync.WaitGroup
		for range 8 {
			f := next(t, s)
			wg.Go(f.Release)
		}
		wg.Go(func() { s.Close() })
		wg.Wait()
		if left, _, err := lender.Lent(); left != 0 || err != nil {
			t.Fatalf("%d slots did not come back, %v", left, err)
		}
	}
}

// TestLargerPictures changes from small to large pictures and back: the large ones need slots of
// their own, the small ones then use these.
func TestLargerPictures(t *testing.T) {
	var all []byte
	for _, size := range []string{"160x120", "640x360", "320x180"} {
		f := avtest.Clip(t, size+".h264", "testsrc2=rate=25:duration=2:size="+size, "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p")
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	clip := filepath.Join(t.TempDir(), "changes.h264")
	if err := os.WriteFile(clip, all, 0o600); err != nil {
		t.Fatal(err)
	}
	want := sums(t, decode.Params{Path: clip, Threads: 1})
	lender := &avtest.Lender{}
	s := open(t, decode.Params{Path: clip, Threads: 3, Lender: lender})
	var got []uint32
	for f := next(t, s); f != nil; f = next(t, s) {
		got = append(got, sum(f))
		if len(got) == 90 { // all small slots of the beginning are home by now
			r := lender.Requests()
			if n, bytes, _ := lender.Lent(); n != r[1].N || bytes != r[1].N*r[1].Layout.Size {
				t.Errorf("%d slots, %d bytes are lent; requests %+v", n, bytes, r)
			}
		}
		f.Release()
	}
	if len(got) != 150 || !slices.Equal(got, want) {
		t.Errorf("%d pictures, or other ones than without slots", len(got))
	}
	if r := lender.Requests(); len(r) != 2 || r[1].Layout.Size <= r[0].Layout.Size {
		t.Errorf("requests %+v", r)
	}
	if st := s.Stats(); st.Generations != 2 || st.Elsewhere > 12 {
		t.Errorf("stats %+v", st)
	}
}

// TestLateSlots adds slots from another goroutine while decoding goes on, and after the end.
func TestLateSlots(t *testing.T) {
	clip := manyReferences(t)
	inner := &avtest.Lender{}
	late := &lateLender{Lender: inner}
	s := open(t, decode.Params{Path: clip, Threads: 2, Lender: late})
	var wg sync.WaitGroup
	wg.Go(func() { late.give(10) })
	for f := next(t, s); f != nil; f = next(t, s) {
		f.Release()
	}
	wg.Wait()
	s.Close()
	late.give(1) // the pool is closed: the slot must come straight back
	if left, _, err := inner.Lent(); left != 0 || err != nil {
		t.Errorf("%d slots did not come back, %v", left, err)
	}
}

// lateLender gives nothing when it is asked, but later.
type lateLender struct {
	*avtest.Lender
	layout frame.Layout
	add    func(*frame.Block)
}

func (l *lateLender) Lend(layout frame.Layout, _ int, add func(*frame.Block)) error {
	l.layout, l.add = layout, add
	return nil
}

func (l *lateLender) give(n int) { _ = l.Lender.Lend(l.layout, n, l.add) }

// TestNoAllocations decodes in a steady state without work for the garbage collector.
func TestNoAllocations(t *testing.T) {
	clip := manyReferences(t)
	s := open(t, decode.Params{Path: clip, Threads: 1, Lender: &avtest.Lender{}})
	for range 20 {
		next(t, s).Release()
	}
	if n := testing.AllocsPerRun(50, func() { next(t, s).Release() }); n != 0 {
		t.Errorf("%v allocations for each frame", n)
	}
}

// A source that never came to Start has nothing to give back.
func TestLookedAtOnly(t *testing.T) {
	s, err := decode.Look(t.Context(), decode.Params{Path: avtest.Sample()}, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
