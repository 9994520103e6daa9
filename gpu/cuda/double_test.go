//go:build cuda && linux

package cuda_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/pinring/pinring/gpu/cuda"
	"github.com/pinring/pinring/gpu/gputest/driverdouble"
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
	child := exec.Command(os.Args[0], "-test.v", "-test.run=^Test(Conformance|ForeignContext|ForeignStream|Pinned|PrimaryContextFlags|BadPTX|Poison|PoisonChild|NoSuchDevice|ConformanceBegun|MemoryBeforeTheContext|EarlyMemoryIsRegistered|NoContext|EarlyMemoryIsRefused|ClosedBeforeTheContext)$")
	child.Env = append(os.Environ(), "LD_LIBRARY_PATH="+driverdouble.Build(t), "PINRING_DOUBLE_CHILD=1", "PINRING_REQUIRE_CUDA=1")
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestConformance/HostKinds") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d tests passed on the double", strings.Count(string(out), "--- PASS"))
}
