//go:build cuda && linux

package cuda_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pinring/pinring/gpu/cuda"
)

// TestOnDouble runs this package's tests in a child process against a stand-in for the driver's
// library, so that all that lies on our side of it is tested without a GPU, too.
func TestOnDouble(t *testing.T) {
	if os.Getenv("PINRING_DOUBLE_CHILD") != "" {
		t.Skip("this is the child")
	}
	if cuda.Toolkit {
		t.Skip("built with a toolkit's headers: the library is linked, not opened")
	}
	dir := t.TempDir()
	buildDouble(t, dir)
	child := exec.Command(os.Args[0], "-test.v", "-test.run=^Test(Conformance|ForeignContext|ForeignStream|Pinned|PrimaryContextFlags|BadPTX|Poison|PoisonChild|NoSuchDevice)$")
	child.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir, "PINRING_DOUBLE_CHILD=1", "PINRING_REQUIRE_CUDA=1")
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestConformance/HostKinds") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d tests passed on the double", strings.Count(string(out), "--- PASS"))
}

// buildDouble compiles testdata/double.c to libcuda.so.1.
func buildDouble(t *testing.T, dir string) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler on this machine")
	}
	header, err := os.ReadFile("include/cuda.h")
	if err != nil {
		t.Skipf("the sources are not here: %v", err)
	}
	// The header's macros turn names into forwarders' names: undo that for the library's symbols.
	var names strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^#define (cu[A-Z]\w+) pinring_`).FindAllStringSubmatch(string(header), -1) {
		names.WriteString("#undef " + m[1] + "\n")
	}
	ok(t, os.WriteFile(filepath.Join(dir, "double_names.h"), []byte(names.String()), 0o644))
	out, err := exec.Command(cc, "-std=gnu11", "-O2", "-w", "-shared", "-fPIC", "-pthread", "-I"+dir, "-Iinclude", "-I../gputest/testmodule",
		"testdata/double.c", "-o", filepath.Join(dir, "libcuda.so.1")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
