package gputest

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func contains(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

// property checks f with random values.
func (r *rig) property(f func(*rapid.T)) {
	r.t.Helper()
	rapid.Check(r.t.(*testing.T), f)
}
