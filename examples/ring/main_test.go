package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/pinring/pinring/gpu"
)

const want = `device: DEVICE
20 pictures of 6220800 bytes went up, were worked on and came back right
upload ring: 3 slots of 6221824 bytes, 3 allocations, 0 frees
download ring: 3 slots of 6221824 bytes, 3 allocations, 0 frees
`

func TestCPU(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), "cpu", 20, &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != strings.Replace(want, "DEVICE", "cpu", 1) {
		t.Errorf("%s", got)
	}
}

// In the program's own context. Skipped without a GPU; PINRING_REQUIRE_CUDA=1 makes that a failure.
func TestCUDA(t *testing.T) {
	var out bytes.Buffer
	err := run(t.Context(), "cuda", 20, &out)
	if err != nil && out.Len() == 0 && os.Getenv("PINRING_REQUIRE_CUDA") != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != strings.Replace(want, "DEVICE", "cuda", 1) {
		t.Errorf("%s", got)
	}
}

// A run that ends in the middle gives everything back: rings and device would report what is left.
func TestEndsEarly(t *testing.T) {
	f, err := openCPU()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = send(ctx, &cancelling{f, cancel, 7}, 20, io.Discard)
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "\n") {
		t.Errorf("cancelled: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := run(t.Context(), "tape", 1, io.Discard); err == nil {
		t.Error("an unknown device is accepted")
	}
}

// cancelling ends the run when it is asked to work for the n-th time.
type cancelling struct {
	foreign
	cancel func()
	n      int
}

func (c *cancelling) Work(dst, src gpu.Addr, bytes int) error {
	if c.n--; c.n == 0 {
		c.cancel()
	}
	return c.foreign.Work(dst, src, bytes)
}
