package sharedlib

import (
	"strings"
	"sync"
	"testing"
)

// The loader's own words are in the error, however many libraries are tried at once.
func TestLoadersWords(t *testing.T) {
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			const name = "libnothing-of-that-name.so.1"
			if _, err := Open(name); err == nil || !strings.Contains(err.Error(), name+": cannot open shared object file") {
				t.Errorf("%q", err)
			}
		})
	}
	all.Wait()
}
