package report

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Names beside a plot keep their distance and their order, and stay inside when there is room.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := rapid.SliceOfN(rapid.Float64Range(0, 300), 1, 9).Draw(t, "ys")
		all := make([]sideName, len(ys))
		for i, y := range ys {
			all[i].y = y
		}
		spread(all, 0, 300)
		for i, n := range all {
			if i > 0 && (n.placed < all[i-1].placed+labelStep-1e-9 || n.y < all[i-1].y) {
				t.Fatalf("names overlap: %+v", all)
			}
			if n.placed < -1e-9 || n.placed > 300+1e-9 {
				t.Fatalf("a name is outside: %+v", all)
			}
		}
	})
}

// Texts above a plot do not lie on one another, whatever ends where.
func TestEndsDoNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &group{}
		for range rapid.IntRange(1, 8).Draw(t, "runs") {
			frame := rapid.Int64Range(0, 1000).Draw(t, "frame")
			g.members = append(g.members, member{label: rapid.StringMatching(`[a-z+ ]{1,30}`).Draw(t, "label"),
				Run: &Run{Outcome: OOM, Series: []Sample{{Usage: 1e9, Budget: 2e9}, {Frame: frame, Usage: 2e9, Budget: 2e9}}}})
		}
		for _, wide := range []bool{true, false} {
			c := &usageChart{g: g, lines: usageLines(g), wide: wide}
			c.layout()
			for i, a := range c.endLabel {
				if from, to, _ := c.span(a); from < leftMargin-6 || to > c.right+6 {
					t.Fatalf("%q is outside: %v to %v", a.text, from, to)
				}
				for _, b := range c.endLabel[:i] {
					if a.row == b.row && c.overlap(a, b) {
						t.Fatalf("%q lies on %q", a.text, b.text)
					}
				}
			}
		}
	})
}

// An axis has a few ticks, all of them inside, all different as texts.
func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(0, 1e11).Draw(t, "lo")
		span := math.Pow(10, rapid.Float64Range(6, 11).Draw(t, "span"))
		most := rapid.IntRange(4, 10).Draw(t, "most")
		step := niceStep(span, most)
		all := ticks(lo, lo+span, step)
		if len(all) < 1 || len(all) > most+1 {
			t.Fatalf("%d ticks of at most %d", len(all), most)
		}
		texts := map[string]bool{}
		for _, v := range all {
			if v < lo-step*1e-6 || v > lo+span+step*1e-6 {
				t.Fatalf("tick %v outside %v to %v", v, lo, lo+span)
			}
			texts[sizeTick(v, step, lo+span)] = true
		}
		if len(texts) != len(all) {
			t.Fatalf("ticks with the same text: %v", texts)
		}
	})
}

// The window shows all curves, and a budget that would squeeze them is left outside.
func TestUsageWindow(t *testing.T) {
	for name, c := range map[string]struct {
		low, high, budget float64
		has, zero         bool
	}{
		"article":      {6.55e9, 7.54e9, 7.54e9, true, false},
		"large card":   {6.55e9, 8.4e9, 24e9, true, true},
		"H200, no use": {1.24e9, 1.244e9, 150e9, false, true},
		"no budget":    {1e9, 2e9, 0, false, false},
		"nothing":      {0, 0, 0, false, true},
	} {
		w := usageWindow(c.low, c.high, c.budget, c.budget)
		if w.hasBudget != c.has || (w.lo == 0) != c.zero || w.lo > c.low || w.hi < c.high || c.has && w.hi < c.budget {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

func TestPhases(t *testing.T) {
	got := phases([]Transition{{Frame: 10, To: "throttle"}, {Frame: 20, To: "hold"}, {Frame: 20, To: "throttle"}, {Frame: 30, To: "clear"}, {Frame: 50, To: "hold"}}, 60)
	want := []phase{{10, 20, "throttle"}, {20, 20, "hold"}, {20, 30, "throttle"}, {50, 60, "hold"}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
}

// Leaving out points on a line moves the curve by less than can be seen.
func TestSimplify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		points := make([]point, n)
		y := 0.0
		step := rapid.SampledFrom([]float64{0.01, 0.1, 5}).Draw(t, "step") // slow bends must not add up
		for i := range points {
			y += rapid.Float64Range(-step, step).Draw(t, "dy")
			points[i] = point{float64(i), y}
		}
		got := simplify(points)
		at := 0
		for _, p := range points {
			for at+1 < len(got) && got[at+1].x < p.x {
				at++
			}
			a, b := got[at], got[min(at+1, len(got)-1)]
			y := a.y
			if b.x > a.x {
				y += (b.y - a.y) * (p.x - a.x) / (b.x - a.x)
			}
			if math.Abs(y-p.y) > 0.1 {
				t.Fatalf("at %v the curve is at %v instead of %v", p.x, y, p.y)
			}
		}
	})
}

func TestFiguresInWords(t *testing.T) {
	for got, want := range map[string]string{
		size(0): "0 B", size(-75_800_000): "-75.8 MB", size(999_400): "999.4 kB", size(999_600): "1.0 MB", size(990_000_000): "990 MB",
		size(7_540_000_000): "7.54 GB", size(15_453_000_000): "15.5 GB", size(150_000_000_000): "150 GB", size(math.MinInt64): "-9,223,372,037 GB",
		factor(0): "0", factor(0.0037): "0.0037", factor(0.063): "0.063", factor(0.5): "0.50", factor(15.84): "15.8", factor(123.4): "123", factor(4321): "4,321",
		rate(99.94): "99.9", rate(4991.2): "4,991", seconds(34.44): "34.4 s", seconds(1234): "1,234 s", micros(911): "911.0 us", symbols(2740): "2.74 ms", symbols(3.1): "3.1 µs",
		decade(0.01): "10 ns", decade(1): "1 µs", decade(1e3): "1 ms", decade(1e6): "1 s",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
