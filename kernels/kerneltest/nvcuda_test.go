//go:build linux && cgo

package kerneltest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cpu"
	"github.com/pinring/pinring/gpu/gputest/driverdouble"
	"github.com/pinring/pinring/gpu/nvcuda"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// TestPureGoGivesTheSameBytes runs the table on a GPU through the device in pure Go, and on the host.
func TestPureGoGivesTheSameBytes(t *testing.T) {
	card, err := nvcuda.Open(0)
	if err != nil {
		t.Skipf("no CUDA device: %v", err)
	}
	host, err := cpu.Open(cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stride := 1
	if strings.Contains(card.Info().Name, "Double") {
		stride = 19 // on the processor, and without vector code
	}
	compareCases(t, card, host, stride)
	for _, d := range []gpu.Device{card, host} {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func compareCases(t *testing.T, card, host gpu.Device, stride int) {
	onCard, err := card.Load(kernels.Module())
	if err != nil {
		t.Fatal(err)
	}
	onHost, err := host.Load(kernels.Module())
	if err != nil {
		t.Fatal(err)
	}
	cases := kerneltest.Cases()
	ran := 0
	for i := 0; i < len(cases); i += stride {
		trial, err := cases[i].Prepare()
		if err != nil {
			t.Fatal(err)
		}
		got, err := trial.Run(card, onCard)
		if err != nil {
			t.Fatal(err)
		}
		want, err := trial.Run(host, onHost)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: %s %x, %s %x", cases[i].Name, card.Info().Name, got, host.Info().Name, want)
		}
		ran++
	}
	t.Logf("%d of %d cases ran on %s and on %s", ran, len(cases), card.Info().Name, host.Info().Name)
	for _, p := range []gpu.Program{onCard, onHost} {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPureGoOnDouble does so with the driver's test double, in a child process.
func TestPureGoOnDouble(t *testing.T) {
	if os.Getenv("PINRING_DOUBLE_CHILD") != "" {
		t.Skip("this is the child")
	}
	child := exec.Command(os.Args[0], "-test.v", "-test.run=^TestPureGoGivesTheSameBytes$")
	child.Env = append(os.Environ(), "LD_LIBRARY_PATH="+driverdouble.Build(t), "PINRING_DOUBLE_CHILD=1")
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "cases ran on Test Double (no GPU)") {
		t.Fatalf("%v\n%s", err, out)
	}
}
