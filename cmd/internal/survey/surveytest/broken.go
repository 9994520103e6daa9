// Package surveytest holds what the tests of both programs that have survey's commands ask of them.
package surveytest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
)

// Broken runs a program's commands with driver libraries that are none: each is told of in the loader's
// words, and ends no command that does not need it. command makes a command that is not started yet; it
// needs a C compiler, on Linux.
func Broken(t *testing.T, command func(args ...string) *exec.Cmd) {
	t.Helper()
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
		cmd := command(strings.Fields(c.args)...)
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+c.dir)
		out, _ := cmd.CombinedOutput() // the exit code is looked at
		said, code := strings.Join(strings.Fields(string(out)), " "), cmd.ProcessState.ExitCode()
		for _, want := range c.want {
			if code != c.code || !strings.Contains(said, want) {
				t.Errorf("%s with %s: exit code %d, want %d and %q in\n%s", c.args, filepath.Base(c.dir), code, c.code, want, out)
			}
		}
	}
}
