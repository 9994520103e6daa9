//go:build cuda && linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
)

// A driver's library that is broken, or none, is told of in the loader's words, and ends no command that does
// not need it.
func TestBrokenLibraries(t *testing.T) {
	text, empty := driverdouble.Broken(t)
	for _, c := range []struct {
		dir, args string
		code      int
		want      []string
	}{
		{text, "doctor", 0, []string{text + "/libcuda.so.1: file too short", text + "/libnvidia-ml.so.1: file too short", "no NVIDIA card: CPU device; 1 warning"}},
		{text, "meminfo", 0, []string{"MemAvailable", text + "/libcuda.so.1: file too short"}},
		{text, "meminfo --device cuda", 7, []string{text + "/libcuda.so.1: file too short"}},
		{text, "watch -- true", 0, []string{"ended with exit code 0", text + "/libnvidia-ml.so.1: file too short"}},
		{empty, "doctor", 0, []string{"libcuda.so.1 has no cuInit", "libnvidia-ml.so.1 has no nvmlInit_v2", "no NVIDIA card: CPU device; 1 warning"}},
		{empty, "meminfo", 0, []string{"MemAvailable", "cuInit: the library has no such function"}},
		{empty, "meminfo --device cuda", 7, []string{"cuInit: the library has no such function"}},
		{empty, "watch -- true", 0, []string{"ended with exit code 0", "libnvidia-ml.so.1 has no nvmlInit_v2"}},
	} {
		cmd := exec.Command(asProgram(t), strings.Fields(c.args)...)
		cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+c.dir, "PINRING_CONFIG=/dev/null")
		text, _ := cmd.CombinedOutput()
		out, code := string(text), cmd.ProcessState.ExitCode()
		said := strings.Join(strings.Fields(out), " ")
		for _, want := range c.want {
			if code != c.code || !strings.Contains(said, want) {
				t.Errorf("%s with %s: exit code %d, want %q in\n%s", c.args, filepath.Base(c.dir), code, want, out)
			}
		}
	}
}
