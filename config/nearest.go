package config

import "github.com/agext/levenshtein"

// Nearest returns the candidate that name most likely was meant to be, empty when none is near
// enough to be helpful: one edit in three letters, or a candidate that begins with the name.
func Nearest(name string, candidates []string) string {
	best, least := "", len(name)/3+2
	for _, c := range candidates {
		d := levenshtein.Distance(name, c, nil)
		if len(name) >= 2 && len(c) > len(name) && c[:len(name)] == name {
			d = min(d, 1)
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}
