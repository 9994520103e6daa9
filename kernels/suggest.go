package kernels

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
)

// unknown words the complaint about a name that is not in known: with the nearest one when it looks
// like a slip, else with all of them.
func unknown(what, name string, known []string) string {
	best, distance := "", 0
	for _, k := range known {
		if d := levenshtein.Distance(name, k, nil); best == "" || d < distance {
			best, distance = k, d
		}
	}
	if best != "" && distance <= max(1, min(len(name), len(best))/2) {
		return fmt.Sprintf("unknown %s %q: did you mean %q?", what, name, best)
	}
	return fmt.Sprintf("unknown %s %q; there are: %s", what, name, strings.Join(known, ", "))
}
