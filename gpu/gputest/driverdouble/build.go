package driverdouble

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Target is the system that the double is built for.
type Target struct {
	CC                    string
	Driver, Management    string // names of the libraries
	driverFlags, nvmlFlag []string
}

// Linux and Windows are the targets. Windows needs mingw.
func Linux() Target {
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	return Target{cc, "libcuda.so.1", "libnvidia-ml.so.1", []string{"-fPIC", "-pthread", "-fvisibility=hidden"}, []string{"-fPIC", "-fvisibility=hidden"}}
}

// Windows is the double for Windows on x86-64.
func Windows() Target {
	return Target{"x86_64-w64-mingw32-gcc", "nvcuda.dll", "nvml.dll", []string{"-static"}, []string{"-static"}}
}

// Compile builds both libraries into dir; root is the folder of this module.
func (g Target) Compile(root, dir string) error {
	at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	src := at("gpu", "gputest", "driverdouble", "src")
	args := append([]string{"-std=gnu11", "-O2", "-Wall", "-Wno-unknown-pragmas", "-shared",
		"-I" + at("gpu", "cuda", "include"), "-I" + at("gpu", "gputest", "testmodule"), "-I" + at("kernels"),
		"-o", filepath.Join(dir, g.Driver)}, g.driverFlags...)
	for _, f := range []string{"system.c", "settings.c", "charge.c", "memory.c", "device.c", "work.c", "kernels.c", "pictures.c"} {
		args = append(args, filepath.Join(src, f))
	}
	if err := compile(g.CC, args); err != nil {
		return err
	}
	args = append([]string{"-std=gnu11", "-O2", "-Wall", "-shared", "-o", filepath.Join(dir, g.Management), filepath.Join(src, "nvml.c")}, g.nvmlFlag...)
	return compile(g.CC, args)
}

func compile(cc string, args []string) error {
	for _, a := range args { // looked at here, so that go test knows that a result depends on them
		if filepath.Ext(a) == ".c" {
			if _, err := os.ReadFile(a); err != nil {
				return err
			}
		}
	}
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cc, err, out)
	}
	return nil
}

// Root finds the folder of this module above the working folder.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "gpu", "gputest", "driverdouble", "src", "double.h")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("the sources of the driver's test double are not here")
		}
		dir = parent
	}
}

// Build compiles the double for Linux into a temporary folder and returns the folder, to be
// put into LD_LIBRARY_PATH of a child process. Where the sources are not (a test that was carried to
// another machine) it skips.
func Build(t testing.TB) string {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := Linux().Compile(root, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}
