package av

import (
	"math"
	"testing"

	"github.com/asticode/go-astiav"
	"pgregory.net/rapid"

	"github.com/pinring/pinring/frame"
)

// TestRescale compares with av_rescale_q.
func TestRescale(t *testing.T) {
	part := rapid.OneOf(rapid.IntRange(1, 100), rapid.IntRange(1, math.MaxInt32),
		rapid.SampledFrom([]int{1, 1001, 30000, 90000, 1000000, math.MaxInt32}))
	value := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1000, 1000),
		rapid.SampledFrom([]int64{0, frame.NoPTS, math.MaxInt64, math.MinInt64 + 1}))
	rapid.Check(t, func(t *rapid.T) {
		v := value.Draw(t, "v")
		from := frame.Rational{Num: part.Draw(t, "fn"), Den: part.Draw(t, "fd")}
		to := frame.Rational{Num: part.Draw(t, "tn"), Den: part.Draw(t, "td")}
		want := v
		if v != frame.NoPTS {
			want = astiav.RescaleQ(v, astiav.NewRational(from.Num, from.Den), astiav.NewRational(to.Num, to.Den))
		}
		if got := Rescale(v, from, to); got != want {
			t.Fatalf("Rescale(%d, %v, %v) = %d, av_rescale_q says %d", v, from, to, got, want)
		}
	})
}
