package bench

import "slices"

func spread(v []float64) Spread {
	if len(v) == 0 {
		return Spread{}
	}
	return Spread{Least: slices.Min(v), Median: median(v), Most: slices.Max(v)}
}
