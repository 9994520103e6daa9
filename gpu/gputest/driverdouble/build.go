package driverdouble

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
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

// Build compiles the double for Linux, once in a process, and returns a temporary folder with it, to be
// put into LD_LIBRARY_PATH of a child process. Where the sources are not (a test that was carried to
// another machine) it skips.
func Build(t testing.TB) string {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Skip(err)
	}
	built.once.Do(func() { built.libraries, built.err = compiled(root) })
	if built.err != nil {
		t.Fatal(built.err)
	}
	dir := t.TempDir()
	for name, data := range built.libraries {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// built is what Build made.
var built struct {
	once      sync.Once
	libraries map[string][]byte
	err       error
}

// compiled is the content of both libraries, by their names.
func compiled(root string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "driverdouble")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	g := Linux()
	if err := g.Compile(root, dir); err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, name := range []string{g.Driver, g.Management} {
		if out[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
