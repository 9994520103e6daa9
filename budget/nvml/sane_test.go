//go:build windows || linux

package nvml

import (
	"math"
	"testing"
)

func TestSane(t *testing.T) {
	for _, m := range []Memory{{100, 60, 30, 10}, {100, 100, 0, 0}, {100, 0, 100, 0}, {mostBytes, 0, 1, 0}} {
		if got, err := m.sane(); err != nil || got != m {
			t.Errorf("%+v: %+v, %v", m, got, err)
		}
	}
	for _, m := range []Memory{{}, {100, -1, 0, 0}, {100, 0, 101, 0}, {100, 101, 0, 0}, {100, 0, 0, 101}, {mostBytes + 1, 0, 0, 0}, {math.MinInt64, 0, 0, 0}} {
		if got, err := m.sane(); err == nil || got != (Memory{}) {
			t.Errorf("%+v: %+v, %v", m, got, err)
		}
	}
}
