//go:build linux && cgo

package pipeline_test

import (
	"testing"

	"github.com/pinring/pinring/gpu"
)

// kind is a device that the tests run on; open fails or skips when there is none.
type kind struct {
	name string
	open func(testing.TB) gpu.Device
}

// kinds are the host as it is, and the host used like a card; builds with CUDA add a real one.
var kinds = []kind{
	{"unified", open},
	{"discrete", func(t testing.TB) gpu.Device { return gpu.Discrete(open(t)) }},
}

// devices runs the test on each kind.
func devices(t *testing.T, test func(t *testing.T, dev gpu.Device)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { test(t, k.open(t)) })
	}
}
