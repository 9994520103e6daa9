//go:build cgo && !windows

package kernels_test

import (
	"testing"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// All builds of the host kernels give the same bytes; the source and row padding stay untouched
// (kerneltest.Run checks), and nothing is read beyond guard pages.
func TestVariantsAgree(t *testing.T) {
	dev := kerneltest.NewHost()
	variants := kernels.Variants()
	progs := make([]gpu.Program, len(variants))
	for i, v := range variants {
		progs[i], _ = dev.Load(gpu.Module{Host: v.Kernels})
		t.Logf("variant %s", v.Name)
	}
	for _, c := range kerneltest.Cases() {
		trial, err := c.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		var first [16]byte
		for i, p := range progs {
			sum, err := trial.Run(dev, p)
			if err != nil {
				t.Fatalf("%s: %v", variants[i].Name, err)
			}
			if i == 0 {
				first = sum
			} else if sum != first {
				t.Errorf("%s: %s and %s differ", c.Name, variants[0].Name, variants[i].Name)
			}
		}
	}
}
