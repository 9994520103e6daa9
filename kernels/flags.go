package kernels

import (
	"fmt"
	"strings"
)

// parseFlags reads FFmpeg's flag syntax, "a+b" or "+a-b": a leading sign starts from the default, its
// absence from nothing. known lists the flags; the result has the names that are set.
func parseFlags(v values, option string, known []string) (map[string]bool, error) {
	set := map[string]bool{}
	if def := v.spec.option(option).Default; strings.IndexAny(v.get(option)+" ", "+-") == 0 {
		for _, f := range strings.Split(def, "+") {
			set[f] = true
		}
	}
	s := v.get(option)
	for i := 0; i < len(s); {
		on := s[i] != '-'
		if s[i] == '+' || s[i] == '-' {
			i++
		}
		n := strings.IndexAny(s[i:], "+-")
		if n < 0 {
			n = len(s) - i
		}
		name := s[i : i+n]
		if !contains(known, name) {
			return nil, &valueError{option, i, fmt.Errorf("%s", unknown("flag", name, known))}
		}
		set[name] = on
		i += n
	}
	return set, nil
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
