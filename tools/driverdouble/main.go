// Command driverdouble builds the test double of NVIDIA's driver (gpu/gputest/driverdouble) into a
// folder, for programs that are tried by hand:
//
//	go run ./tools/driverdouble /tmp/double
//	LD_LIBRARY_PATH=/tmp/double CUDA_DOUBLE=total=8000000000,small=1016,reclaim=2000 bin/pinring run …
//
// With -windows it builds nvcuda.dll and nvml.dll, which needs mingw. No GPU is behind any of it.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
)

func main() {
	windows := flag.Bool("windows", false, "build DLLs")
	flag.Parse()
	if err := run(*windows, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "driverdouble:", err)
		os.Exit(1)
	}
}

func run(windows bool, dir string) error {
	if dir == "" {
		return fmt.Errorf("name the folder to build into")
	}
	root, err := driverdouble.Root()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if windows {
		return driverdouble.Windows().Compile(root, dir)
	}
	return driverdouble.Linux().Compile(root, dir)
}
