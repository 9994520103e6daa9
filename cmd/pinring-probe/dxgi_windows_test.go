//go:build amd64 || arm64

package main

import (
	"strings"
	"testing"

	"github.com/pinring/pinring/budget/dxgi"
)

// TestCardByLUID: the card is found among DXGI's adapters by what the driver says, and DXGI is then no
// longer missing. The counters are: wine has none.
func TestCardByLUID(t *testing.T) {
	m, err := dxgi.Open(dxgi.Options{})
	if err != nil {
		t.Skip(err)
	}
	s := charging()
	s.LUID = m.Adapter().LUID.Bytes()
	m.Close()
	r := run(t, s, "", "compare", "--size", "64x48", "--frames", "5", "--modes", "guarded")
	if r.code != 0 || strings.Contains(r.err, "without DXGI") || !strings.Contains(r.err, "the guard goes on without PDH") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
	r = run(t, s, "", "meminfo", "--device", "cuda")
	if r.code != 0 || !strings.Contains(r.out, "DXGI LOCAL") || !strings.Contains(r.out, "8.59 GB") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
}
