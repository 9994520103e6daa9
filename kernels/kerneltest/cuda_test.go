//go:build cuda && linux

package kerneltest_test

import (
	"os"
	"testing"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/gpu/cuda"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
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
	onCard, onHost := load(t, card), load(t, host)
	cases := kerneltest.Cases()
	stride := 1
	if testing.Short() { // under compute-sanitizer: every case costs seconds there
		stride = 37
	}
	ran := 0
	for i := 0; i < len(cases); i += stride {
		c := cases[i]
		got, err := kerneltest.RunCase(card, onCard, c)
		if err != nil {
			t.Fatal(err)
		}
		want, err := kerneltest.RunCase(host, onHost, c)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: GPU %x, CPU %x", c.Name, got, want)
		}
		ran++
	}
	t.Logf("%d of %d cases ran on %s and on %s", ran, len(cases), card.Info().Name, host.Info().Name)
	for _, f := range []func() error{onCard.Close, onHost.Close, card.Close, host.Close} {
		if err := f(); err != nil {
			t.Error(err)
		}
	}
}

func load(t *testing.T, d gpu.Device) gpu.Program {
	t.Helper()
	p, err := d.Load(kernels.Module())
	if err != nil {
		t.Fatal(err)
	}
	return p
}
