package report

// Thin returns at most most samples of s, in order, which draw the same picture: the first, the last,
// and from each of equal stretches the ones with the least and the most in use. The peak and the
// valley of the whole are always among them. most below 4 counts as 4; s is not changed.
func Thin(s []Sample, most int) []Sample {
	most = max(most, 4)
	if len(s) <= most {
		return s
	}
	inner := s[1 : len(s)-1]
	stretches := (most - 2) / 2
	out := make([]Sample, 0, most)
	out = append(out, s[0])
	for i := range stretches {
		part := inner[i*len(inner)/stretches : (i+1)*len(inner)/stretches]
		lo, hi := 0, 0
		for j := range part {
			if part[j].Usage < part[lo].Usage {
				lo = j
			}
			if part[j].Usage > part[hi].Usage {
				hi = j
			}
		}
		out = append(out, part[min(lo, hi)])
		if lo != hi {
			out = append(out, part[max(lo, hi)])
		}
	}
	return append(out, s[len(s)-1])
}
