package report

import (
	"fmt"
	"math"
)

// scale maps values to pixels along one axis.
type scale struct {
	v0, v1 float64 // values
	p0, p1 float64 // where they are drawn
	log    bool
}

func (s scale) at(v float64) float64 {
	a, b := s.v0, s.v1
	if s.log {
		a, b, v = math.Log10(a), math.Log10(b), math.Log10(math.Max(v, s.v0))
	}
	if b == a {
		return s.p0
	}
	return s.p0 + (v-a)/(b-a)*(s.p1-s.p0)
}

// niceStep is the step of 1, 2 or 5 times a power of ten that gives at most most steps over span.
func niceStep(span float64, most int) float64 {
	raw := span / float64(max(most, 1))
	if raw <= 0 || !finite(raw) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= raw*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// ticks are the multiples of step from lo to hi.
func ticks(lo, hi, step float64) (out []float64) {
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+step*1e-9 && len(out) < 100; i++ {
		out = append(out, i*step+0) // + 0 makes -0 a 0
	}
	return out
}

// sizeTick writes a tick of bytes with as many digits as the step needs.
func sizeTick(v, step, hi float64) string {
	unit, name := 1.0, "B"
	switch {
	case hi >= 1e9:
		unit, name = 1e9, "GB"
	case hi >= 1e6:
		unit, name = 1e6, "MB"
	case hi >= 1e3:
		unit, name = 1e3, "kB"
	}
	digits := max(0, int(math.Ceil(-math.Log10(step/unit)-1e-9)))
	return fmt.Sprintf("%.*f %s", min(digits, 6), v/unit, name)
}

// window is the range of values that an axis of usage shows, and whether the budget is in it.
type window struct {
	lo, hi    float64
	hasBudget bool
}

// usageWindow chooses the range for usages from low to high under a budget of at least and at most
// that many bytes (0: none). Noise is not blown up: the range is at least a fiftieth of the budget. A budget that would
// squeeze the curves into a twelfth of the height stays outside.
func usageWindow(low, high, leastBudget, mostBudget float64) window {
	span := math.Max(high-low, math.Max(mostBudget/50, 64e6))
	w := window{lo: low, hi: low + span, hasBudget: mostBudget > 0 && mostBudget-low <= 12*span}
	if w.hasBudget {
		w.hi = math.Max(w.hi, mostBudget)
		w.lo = math.Min(w.lo, leastBudget)
	}
	if w.lo < 0.35*w.hi {
		w.lo = 0
	} else {
		w.lo = math.Max(0, w.lo-0.08*(w.hi-w.lo))
	}
	w.hi += 0.05 * (w.hi - w.lo)
	return w
}
