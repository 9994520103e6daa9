package wddm_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(dirEnv); dir != "" {
		os.Exit(child(dir, os.Getenv(specEnv)))
	}
	goleak.VerifyTestMain(m)
}
