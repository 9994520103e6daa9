package av

// #include <libavutil/rational.h>
import "C"

import (
	"math"
	"math/bits"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// Microseconds is FFmpeg's common time base (AV_TIME_BASE_Q).
var Microseconds = frame.Rational{Num: 1, Den: 1_000_000}

// Rescale converts a time stamp from one time base to another, rounded to the nearest, halves away
// from zero: av_rescale_q without the call into C. NoPTS stays NoPTS, and is the result when the
// value does not fit. Both time bases must be positive.
func Rescale(v int64, from, to frame.Rational) int64 {
	if v == frame.NoPTS || v == 0 {
		return v
	}
	mul := uint64(from.Num) * uint64(to.Den)
	div := uint64(from.Den) * uint64(to.Num)
	abs := uint64(v)
	if v < 0 {
		abs = -abs
	}
	hi, lo := bits.Mul64(abs, mul)
	lo, carry := bits.Add64(lo, div/2, 0)
	hi += carry
	if div == 0 || hi >= div {
		return frame.NoPTS
	}
	q, _ := bits.Div64(hi, lo, div)
	switch {
	case q > math.MaxInt64:
		return frame.NoPTS
	case v < 0:
		return -int64(q)
	}
	return int64(q)
}

func rational(r astiav.Rational) frame.Rational {
	return frame.Rational{Num: r.Num(), Den: r.Den()}
}

func cRational(r frame.Rational) C.AVRational {
	return C.AVRational{num: C.int(r.Num), den: C.int(r.Den)}
}
