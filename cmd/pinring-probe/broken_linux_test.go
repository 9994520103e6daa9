package main

import (
	"os/exec"
	"testing"

	"github.com/pinring/pinring/cmd/internal/survey/surveytest"
)

func TestBrokenLibraries(t *testing.T) {
	surveytest.Broken(t, func(args ...string) *exec.Cmd { return command(t, nil, args...) })
}
