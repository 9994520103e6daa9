//go:build cuda && linux

package kerneltest_test

import (
	"os"
	"testing"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/gpu/cuda"
)

// TestCUDAGivesTheSameBytes runs the whole table on the GPU and on the host.
func TestCUDAGivesTheSameBytes(t *testing.T) {
	card, err := cuda.Open(0)
	if err != nil {
		if os.Getenv("PINRING_REQUIRE_CUDA") == "1" {
			t.Fatalf("PINRING_REQUIRE_CUDA is set: %v", err)
		}
		t.Skipf("no CUDA device: %v", err)
	}
	host, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stride := 1
	if testing.Short() { // under compute-sanitizer: every case costs seconds there
		stride = 37
	}
	compareCases(t, card, host, stride)
	for _, d := range []gpu.Device{card, host} {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}
