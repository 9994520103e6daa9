package report

// floor is how much usage may move without being called growth: 16 MB, which is above what drivers
// take and give back on their own account while a program runs.
const floor = 16_000_000

// curve is what a series of usage says in a few numbers. Bytes.
type curve struct {
	first, last, high int64
	span              int64   // between the least and the most, once the first tenth is over
	rise              int64   // from the first sample to the highest
	settled           bool    // the last third is no higher than the middle third
	perFrame          float64 // slope of the last third
	seconds           float64 // of the last sample
}

// readCurve returns false when there is nothing to read: fewer than two samples.
func readCurve(s []Sample) (curve, bool) {
	if len(s) < 2 {
		return curve{}, false
	}
	end := s[len(s)-1]
	c := curve{first: s[0].Usage, last: end.Usage, high: s[0].Usage, seconds: end.T}
	for _, x := range s {
		c.high = max(c.high, x.Usage)
	}
	c.rise = c.high - c.first
	low, high := extremes(s[len(s)/10:])
	c.span = high - low
	third := len(s) - len(s)/3
	_, middle := extremes(s[len(s)/3 : max(third, len(s)/3+1)])
	_, late := extremes(s[min(third, len(s)-1):])
	c.settled = late <= middle+floor
	from := s[min(third, len(s)-1)]
	if end.Frame > from.Frame {
		c.perFrame = float64(end.Usage-from.Usage) / float64(end.Frame-from.Frame)
	}
	return c, true
}

func extremes(s []Sample) (low, high int64) {
	low, high = s[0].Usage, s[0].Usage
	for _, x := range s[1:] {
		low, high = min(low, x.Usage), max(high, x.Usage)
	}
	return low, high
}

// alike reports whether the series of two runs are about the same memory.
func alike(a, b *Run) bool {
	return a.SeriesDomain == nil || b.SeriesDomain == nil || *a.SeriesDomain == *b.SeriesDomain
}

// usageAtEnd is what was in use when the run ended: what the refused request saw, or the last sample.
func usageAtEnd(r *Run) (int64, bool) {
	if o := r.OutOfMemory; o != nil && o.UsageBytes != nil && (o.Domain == nil || r.SeriesDomain == nil || *o.Domain == *r.SeriesDomain) {
		return *o.UsageBytes, true
	}
	if n := len(r.Series); n > 0 {
		return r.Series[n-1].Usage, true
	}
	return 0, false
}
