//go:build windows || linux

package nvml

import (
	"fmt"

	"github.com/pinring/pinring/internal/sharedlib"
)

// load opens the library and makes sure that it has the functions, each under one of its names at least. The
// loader's own words are in the error.
func load(functions ...[]string) (sharedlib.Library, error) {
	l, err := sharedlib.Open(libraryName)
	if err != nil {
		return l, fmt.Errorf("nvmlInit: %s cannot be opened; is the NVIDIA driver installed? (%w)", libraryName, err)
	}
	for _, names := range functions {
		if !has(l, names) {
			return l, fmt.Errorf("nvmlInit: %s has no %s: it is not the driver's library", libraryName, names[0])
		}
	}
	return l, nil
}

func has(l sharedlib.Library, names []string) bool {
	for _, name := range names {
		if l.Symbol(name) != 0 {
			return true
		}
	}
	return false
}
