package quota

import "slices"

// fairPart is max-min fairness, by progressive filling (Bertsekas and Gallager, "Data Networks",
// 2nd edition, 1992, chapter 6): nobody gets more than it wants, and nobody could get more without somebody
// who has no more than it getting less. It returns the part of the one who wants mine.
func fairPart(total int64, wants []int64, mine int64) int64 {
	sorted := slices.Clone(wants)
	slices.Sort(sorted)
	rest := total
	for i, w := range sorted {
		equal := rest / int64(len(sorted)-i)
		if w >= equal {
			return min(mine, equal) // everybody from here on gets an equal part
		}
		if w == mine {
			return w
		}
		rest -= w
	}
	return mine
}
