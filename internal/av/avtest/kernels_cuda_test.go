//go:build cuda && linux

package avtest_test

import (
	"os"
	"testing"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cuda"
)

func init() { kinds = append(kinds, kind{"cuda", openCUDA}) }

func openCUDA(t testing.TB) gpu.Device {
	d, err := cuda.Open(0)
	if err != nil {
		if os.Getenv("PINRING_REQUIRE_CUDA") == "1" {
			t.Fatalf("PINRING_REQUIRE_CUDA is set: %v", err)
		}
		t.Skipf("no CUDA device: %v", err)
	}
	return d
}
