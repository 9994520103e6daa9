package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

// checked runs the tests and then looks for goroutines that they left.
type checked struct{ m *testing.M }

func (c checked) Run() int {
	code := c.m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			os.Stderr.WriteString(err.Error())
			return 1
		}
	}
	return code
}

// TestMain offers two programs to the scripts: pinring is the real one; rehearse is the same with a
// workshop whose journeys are scripted, so that each way to fail can be had without hardware.
func TestMain(m *testing.M) {
	testscript.Main(checked{m}, map[string]func(){
		"pinring":  main,
		"rehearse": func() { os.Exit(newApp(os.Stdout, os.Stderr, rehearsal{}).main(os.Args[1:])) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PINRING_CONFIG", "/dev/null") // scripts that read the file unset it
			return nil
		},
	})
}
