package decode

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pinring/pinring/frame"
)

// Pictures are sent in coding order and shown in order; some are lost, which is reported at once. Each
// is missed exactly once, at its own time, before a later one is shown.
func TestLostPicturesAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "pictures")
		gone := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, n/2, rapid.ID[int]).Draw(t, "lost")
		var l lost
		var found []int64
		// Three at a time: the last of them is sent first, as an anchor of two B pictures.
		for from := 0; from < n; from += 3 {
			group := []int{}
			for i := min(from+3, n) - 1; i >= from; i-- {
				group = append(group, i)
			}
			slices.Reverse(group[1:])
			for _, i := range group {
				l.expect(int64(i * 10))
				if slices.Contains(gone, i) {
					l.owe(int64(i * 10))
				}
			}
			for i := from; i < min(from+3, n); i++ {
				if !slices.Contains(gone, i) {
					found = append(found, l.before(int64(i*10), frame.NoPTS, 0)...)
				}
			}
		}
		found = append(found, l.before(math.MaxInt64, frame.NoPTS, 0)...)
		slices.Sort(gone)
		for i, g := range gone {
			if len(found) != len(gone) || found[i] != int64(g*10) {
				t.Fatalf("found %v, lost were %v", found, gone)
			}
		}
	})
}

// What was never reported is not made up: packets that show nothing are no damage.
func TestNothingIsMadeUp(t *testing.T) {
	var l lost
	for i := range int64(50) {
		l.expect(i)
	}
	if got := l.before(40, 0, 1); len(got) != 0 {
		t.Errorf("made up %v", got)
	}
	l.owe(45) // it comes in spite of that
	for i := int64(41); i < 50; i++ {
		if got := l.before(i, i-1, 1); len(got) != 0 {
			t.Errorf("made up %v before %d", got, i)
		}
	}
	if l.owed != 0 {
		t.Errorf("%d are owed for ever", l.owed)
	}
}

// Without time stamps in the packets the gap tells.
func TestLostWithoutTimeStamps(t *testing.T) {
	var l lost
	l.owe(frame.NoPTS)
	l.owe(frame.NoPTS)
	if got := l.before(400, 100, 100); !slices.Equal(got, []int64{200, 300}) {
		t.Errorf("%v", got)
	}
	l.owe(frame.NoPTS)
	if got := l.before(500, 400, 100); len(got) != 0 {
		t.Errorf("%v, where no room is", got)
	}
}

func TestPlace(t *testing.T) {
	tb := frame.Rational{Num: 1, Den: 25}
	p := span{start: 1, duration: 100_000} // two and a half frames, which are rounded to three
	for _, c := range []struct {
		pts  int64
		want place
	}{{frame.NoPTS, before}, {-1, before}, {1, inside}, {2, inside}, {frame.NoPTS, inside}, {3, inside}, {4, behind}} {
		if got := p.place(c.pts, tb); got != c.want {
			t.Errorf("%d: %v, want %v", c.pts, got, c.want)
		}
	}
	all := span{}
	for _, pts := range []int64{-5, frame.NoPTS, 1 << 40} {
		if got := all.place(pts, tb); got != inside {
			t.Errorf("without limits: %d: %v", pts, got)
		}
	}
}
