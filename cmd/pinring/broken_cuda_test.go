//go:build cuda && linux

package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/pinring/pinring/cmd/internal/survey/surveytest"
)

func TestBrokenLibraries(t *testing.T) {
	surveytest.Broken(t, func(args ...string) *exec.Cmd {
		cmd := exec.Command(asProgram(t), args...)
		cmd.Env = append(os.Environ(), "PINRING_CONFIG=/dev/null")
		return cmd
	})
}
