package encode

import (
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// TestNearest: a time stamp is exact when both clocks tick together, never off by more than half a
// tick otherwise, never turns back, and is FFmpeg's where a double holds all of its bits.
func TestNearest(t *testing.T) {
	base := rapid.SampledFrom([]frame.Rational{{Num: 1, Den: 25}, {Num: 1, Den: 30}, {Num: 1001, Den: 30000}, {Num: 1, Den: 90000},
		{Num: 1, Den: 1000}, {Num: 1, Den: 57600}, {Num: 502589, Den: 3628800}, {Num: 1, Den: 1}})
	rapid.Check(t, func(t *rapid.T) {
		from, to := base.Draw(t, "from"), base.Draw(t, "to")
		v := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "v")
		got := nearest(v, from, to)
		if from == to && got != v {
			t.Fatalf("%d became %d", v, got)
		}
		if d := got - av.Rescale(v, from, to); d < -1 || d > 1 {
			t.Fatalf("nearest(%d, %v, %v) is %d ticks off", v, from, to, d)
		}
		if ref, ok := inDoubles(v, from, to); ok && got != ref {
			t.Fatalf("nearest(%d, %v, %v) is %d, FFmpeg's formula gives %d", v, from, to, got, ref)
		}
		if later := nearest(v+1, from, to); later < got {
			t.Fatalf("time turned back from %d to %d", got, later)
		}
	})
	// Seconds beyond what fits with the extra bits: the answer was far off once.
	if got := nearest(12509998965, frame.Rational{Num: 1, Den: 1}, frame.Rational{Num: 1, Den: 90000}); got != 1125899906850000 {
		t.Errorf("a distant time became %d", got)
	}
	// Halves go away from zero, on both sides of it.
	for _, c := range [][2]int64{{1, 1}, {-1, -1}, {3, 2}, {-3, -2}} {
		if got := nearest(c[0], frame.Rational{Num: 1, Den: 50}, frame.Rational{Num: 1, Den: 25}); got != c[1] {
			t.Errorf("half of %d became %d, want %d", c[0], got, c[1])
		}
	}
	if got := nearest(frame.NoPTS, frame.Rational{Num: 1, Den: 25}, frame.Rational{Num: 1, Den: 30}); got != frame.NoPTS {
		t.Errorf("unknown became %d", got)
	}
}

// inDoubles is the conversion as FFmpeg's program makes it (adjust_frame_pts_to_encoder_tb of
// ffmpeg.c, 5.1); false where a double may not hold the extra bits and the nudge of 2^-17.
func inDoubles(v int64, from, to frame.Rational) (int64, bool) {
	extra := min(max(29-(bits.Len(uint(to.Den))-1), 0), 16)
	n := av.Rescale(v, from, frame.Rational{Num: to.Num, Den: to.Den << extra})
	d := float64(n) / float64(int(1)<<extra)
	if n == frame.NoPTS || math.Abs(d) >= 1<<35 {
		return 0, false
	}
	if d != 0 {
		d += math.Copysign(1.0/(1<<17), d)
	}
	return int64(math.RoundToEven(d)), true
}
