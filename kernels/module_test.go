package kernels

import (
	"regexp"
	"strings"
	"testing"
)

// The committed PTX was made from these sources, has every kernel and no floating point.
func TestPTX(t *testing.T) {
	m := Module()
	want, err := sourceHash()
	if err != nil {
		t.Fatal(err)
	}
	if first, _, _ := strings.Cut(m.PTX, "\n"); first != "// sources sha256 "+want {
		t.Errorf("kernels.ptx was made from other sources (%s): run scripts/build-ptx.sh", first)
	}
	for _, name := range []string{"planes", "to_rgb", "from_rgb", "wide_planes", "wide_to_rgb", "wide_from_rgb", "turn", "unsharp", "resize"} {
		if !strings.Contains(m.PTX, ".visible .entry "+name+"(") {
			t.Errorf("no kernel %s in the PTX", name)
		}
		for _, v := range Variants() {
			if v.Kernels[name] == nil {
				t.Errorf("no kernel %s in host variant %s", name, v.Name)
			}
		}
	}
	if at := regexp.MustCompile(`\.f(16|32|64)|fma\.`).FindString(m.PTX); at != "" {
		t.Errorf("floating point in the PTX: %s", at)
	}
}
