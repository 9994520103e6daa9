package open

import (
	"errors"
	"strings"
	"testing"

	"github.com/pinring/pinring/gpu"
)

// fake is a device that only knows its Info.
type fake struct {
	gpu.Device
	info gpu.Info
}

func (f fake) Info() gpu.Info { return f.info }
func (f fake) Close() error   { return nil }

var (
	errDriver = errors.New("no NVIDIA driver: libcuda.so.1: cannot open shared object file:\n No such file")
	h200      = gpu.Info{Kind: gpu.CUDA, Name: "NVIDIA H200", DriverAPI: 13000}
)

func cpuWith(cores int) func(Options) (gpu.Device, error) {
	return func(Options) (gpu.Device, error) {
		return fake{info: gpu.Info{Kind: gpu.CPU, MultiProcessors: cores}}, nil
	}
}

func card(index int, _ Options) (gpu.Device, string, error) {
	i := h200
	i.Index = index
	return fake{info: i}, "580.159.04", nil
}

func noCard(int, Options) (gpu.Device, string, error) { return nil, "", errDriver }

func TestChoose(t *testing.T) {
	noCPU := func(Options) (gpu.Device, error) { return nil, errors.New("no cgo") }
	const noFile = "no NVIDIA driver: libcuda.so.1: cannot open shared object file: No such file"
	for _, test := range []struct {
		want string
		b    backends
		why  string // "" when an error is wanted
	}{
		{"auto", backends{cpuWith(2), card}, "device: cuda:0 NVIDIA H200 (driver 580.159.04, CUDA 13.0)"},
		{"auto", backends{cpuWith(2), noCard}, "device: cpu (2 cores): " + noFile},
		{"cpu", backends{cpuWith(1), card}, "device: cpu (1 core)"},
		{"cuda", backends{cpuWith(2), card}, "device: cuda:0 NVIDIA H200 (driver 580.159.04, CUDA 13.0)"},
		{"cuda:3", backends{cpuWith(2), card}, "device: cuda:3 NVIDIA H200 (driver 580.159.04, CUDA 13.0)"},
		{"cuda", backends{cpuWith(2), noCard}, ""},
		{"cuda:1", backends{cpuWith(2), noCard}, ""},
		{"auto", backends{noCPU, noCard}, ""},
	} {
		d, why, err := choose(test.want, Options{}, test.b)
		if test.why != "" {
			if err != nil || why != test.why || d == nil {
				t.Errorf("%s: %q, %v, want %q", test.want, why, err, test.why)
			}
			continue
		}
		var missing *UnavailableError
		if !errors.As(err, &missing) || missing.Want != test.want || !errors.Is(err, errDriver) || d != nil {
			t.Errorf("%s: %v, want that it cannot be had, and why", test.want, err)
		}
	}
}

func TestSyntax(t *testing.T) {
	for _, want := range []string{"", "gpu", "cuda:", "cuda:-1", "cuda:+1", "cuda:x", "CPU", "cuda0", "cuda:1:2"} {
		_, _, err := choose(want, Options{}, backends{cpuWith(1), card})
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: %v, want a syntax error", want, err)
		}
	}
}

// TestDevice opens what this machine has.
func TestDevice(t *testing.T) {
	d, why, err := Device("auto", Options{Cores: 2})
	if err != nil {
		t.Skipf("no device: %v", err)
	}
	t.Log(why)
	if !strings.HasPrefix(why, "device: "+string(d.Info().Kind)) || strings.Contains(why, "\n") {
		t.Errorf("%q is not a line about a %s device", why, d.Info().Kind)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
