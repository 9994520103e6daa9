package encode

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// TestNearest: a time stamp is exact when both clocks tick together, never off by more than half a
// tick otherwise, and never turns back.
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
		if later := nearest(v+1, from, to); later < got {
			t.Fatalf("time turned back from %d to %d", got, later)
		}
	})
	// Seconds beyond what fits with the extra bits: the answer was far off once.
	if got := nearest(12509998965, frame.Rational{Num: 1, Den: 1}, frame.Rational{Num: 1, Den: 90000}); got != 1125899906850000 {
		t.Errorf("a distant time became %d", got)
	}
	if got := nearest(frame.NoPTS, frame.Rational{Num: 1, Den: 25}, frame.Rational{Num: 1, Den: 30}); got != frame.NoPTS {
		t.Errorf("unknown became %d", got)
	}
}
