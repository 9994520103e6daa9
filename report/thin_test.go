package report_test

import (
	"slices"
	"testing"

	"github.com/pinring/pinring/report"
	"pgregory.net/rapid"
)

// Thinning keeps order, ends, peak and valley, invents nothing, and is no longer than asked for.
func TestThin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		usage := rapid.SliceOfN(rapid.Int64Range(0, 50), 1, 400).Draw(t, "usage")
		most := rapid.IntRange(4, 100).Draw(t, "most")
		s := make([]report.Sample, len(usage))
		for i, u := range usage {
			s[i] = report.Sample{Frame: int64(i), Usage: u}
		}
		got := report.Thin(s, most)
		if len(got) > most {
			t.Fatalf("%d samples of at most %d", len(got), most)
		}
		if got[0] != s[0] || got[len(got)-1] != s[len(s)-1] {
			t.Fatal("an end is missing")
		}
		less := func(a, b report.Sample) int { return int(a.Usage - b.Usage) }
		if slices.MaxFunc(got, less).Usage != slices.Max(usage) || slices.MinFunc(got, less).Usage != slices.Min(usage) {
			t.Fatal("the peak or the valley is missing")
		}
		for i, x := range got {
			if x != s[x.Frame] || i > 0 && x.Frame <= got[i-1].Frame {
				t.Fatalf("sample %d is %+v", i, x)
			}
		}
	})
}
