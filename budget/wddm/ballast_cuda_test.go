//go:build cuda && linux

package wddm_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/budget/nvml"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/cuda"
	"github.com/pinring/pinring/gpu/gputest/testmodule"
)

// ballastEnv makes TestCardBallastChild a process with a filled card; its value is the card. Its
// runtime folder is in the other.
const (
	ballastEnv    = "PINRING_TEST_BALLAST"
	ballastDirEnv = "PINRING_TEST_BALLAST_DIR"
)

// openCard skips without a GPU; PINRING_REQUIRE_CUDA=1 makes that a failure.
func openCard(t testing.TB) *cuda.Device {
	t.Helper()
	d, err := cuda.Open(0)
	if err != nil {
		missing(t, fmt.Errorf("no CUDA device to test: %w", err))
	}
	return d
}

func missing(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("PINRING_REQUIRE_CUDA") == "1" {
		t.Fatalf("PINRING_REQUIRE_CUDA is set: %v", err)
	}
	t.Skip(err)
}

// warm loads a module and launches its kernels, and returns what keeps it loaded.
func warm(t testing.TB, dev gpu.Device) (cold func() error) {
	p, err := dev.Load(testmodule.Module())
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel("tally")
	if err != nil {
		t.Fatal(err)
	}
	s, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	b, err := dev.Alloc(4096)
	if err != nil {
		t.Fatal(err)
	}
	var c gpu.Commands
	c.Fill(b.Addr(), 0, 4096)
	c.Launch(k, 1, 1, uint64(b.Addr()), 4, 0, 0, 1, 1)
	if err := errors.Join(s.Submit(&c), s.Synchronize(), b.Free()); err != nil {
		t.Fatal(err)
	}
	return func() error { return errors.Join(s.Close(), p.Close()) }
}

// slack is what a driver may keep for itself, between before and after.
const slack = 64 * mib

// On a real card the driver refuses at the frame at which the ledger would, kernels still run while it
// is full, and afterwards it is as empty as before.
func TestCardBallast(t *testing.T) {
	spec := os.Getenv("PINRING_TEST_BALLAST_SPEC")
	if spec == "" {
		spec = "article-video"
	}
	ledger := open(t, spec, wddm.Options{})
	ledger.Start(30, 1)
	want, _ := churn(t, ledger, 900)

	dev := openCard(t)
	cold := warm(t, dev)
	before, err := dev.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	o := options(t)
	o.Force = true
	began := time.Now()
	b, err := wddm.NewBallast(dev, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := wddm.Parse(spec + ",mode=ballast")
	if err != nil {
		t.Fatal(err)
	}
	c, err := wddm.Emulate(dev, p, wddm.Options{Backend: b})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("filled within %v: %+v", time.Since(began).Round(time.Millisecond), b.Stats())
	full, err := dev.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	room := c.Params().Headroom
	if free := full.Free - b.Stats().Tail - b.Stats().Margin; free < room-granule || free > room+2*granule {
		t.Errorf("%d bytes are free besides margin and tail, the emulated card has %d: %+v", free, room, b.Stats())
	}
	c.Start(30, 1)
	began = time.Now()
	failed, err := churn(t, c, 900)
	var oom *gpu.OutOfMemoryError
	if failed != want || !errors.As(err, &oom) || oom.Call != "cuMemAlloc" || oom.Code != 2 {
		t.Errorf("fails at frame %d, want %d: %+v", failed, want, err)
	}
	t.Logf("frame %d after %v: %v", failed, time.Since(began).Round(time.Millisecond), err)
	if err := warm(t, dev)(); err != nil { // modules, streams, launches on a full card
		t.Error(err)
	}
	t.Logf("%+v", b.Stats())
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	after, err := dev.MemInfo()
	if err != nil || after.Free < before.Free-slack {
		t.Errorf("%d bytes are free after Close, %d before: %v", after.Free, before.Free, err)
	}
	if err := errors.Join(cold(), c.Close()); err != nil {
		t.Error(err)
	}
}

// TestCardBallastChild fills the card and does what it is told, line by line.
func TestCardBallastChild(t *testing.T) {
	if os.Getenv(ballastEnv) == "" {
		t.Skip("not the child")
	}
	dev := openCard(t)
	cold := warm(t, dev)
	b, err := wddm.NewBallast(dev, wddm.BallastOptions{Force: true, Dir: os.Getenv(ballastDirEnv)})
	if err != nil {
		fmt.Println("refused:", err)
		if err := errors.Join(cold(), dev.Close()); err != nil {
			t.Error(err)
		}
		return
	}
	p, err := wddm.Parse(os.Getenv(ballastEnv))
	if err != nil {
		t.Fatal(err)
	}
	c, err := wddm.Emulate(dev, p, wddm.Options{Backend: b})
	if err != nil {
		t.Fatal(err)
	}
	c.Start(30, 1)
	fmt.Println("filled:", b.Stats().Held)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		frame, err := churn(t, c, 900)
		var oom *gpu.OutOfMemoryError
		if errors.As(err, &oom) {
			fmt.Println("oom:", frame, oom.Call, oom.Code)
		} else {
			fmt.Println("no oom:", frame, err)
		}
	}
	if err := errors.Join(cold(), c.Close()); err != nil {
		t.Error(err)
	}
}

// another starts the child and waits until it says how much it has filled, or why it has not.
func another(t *testing.T, dir string) (*exec.Cmd, io.WriteCloser, *bufio.Scanner, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCardBallastChild$", "-test.v")
	cmd.Env = append(os.Environ(), ballastEnv+"=article-video,mode=ballast", ballastDirEnv+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); in.Close() })
	lines := bufio.NewScanner(out)
	return cmd, in, lines, next(t, lines)
}

// next is the next line of the child itself.
func next(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	for lines.Scan() {
		if s := lines.Text(); strings.Contains(s, "filled:") || strings.Contains(s, "oom:") || strings.Contains(s, "refused:") {
			return s
		}
	}
	t.Fatalf("the child has ended: %v", lines.Err())
	return ""
}

// finish ends the child's orders and waits for its end, behind all that it says.
func finish(cmd *exec.Cmd, in io.Closer, lines *bufio.Scanner) error {
	in.Close()
	for lines.Scan() {
	}
	return cmd.Wait()
}

// NVML, asked by a process that has no context on the card, shows the fill; a second process is
// refused; afterwards, and after SIGKILL, the card is as empty as before.
func TestCardBallastSeenFromOutside(t *testing.T) {
	dev := openCard(t)
	info := dev.Info()
	if err := dev.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := nvml.Open()
	if err != nil {
		missing(t, err)
	}
	defer m.Close()
	card, err := m.Find(info.UUID, info.PCI)
	if err != nil {
		missing(t, err)
	}
	used := func() int64 {
		x, err := card.Memory()
		if err != nil {
			t.Fatal(err)
		}
		return x.Used
	}
	before := used()
	for _, kill := range []bool{false, true} {
		dir := t.TempDir()
		cmd, in, lines, said := another(t, dir)
		var held int64
		if _, err := fmt.Sscanf(said, "filled: %d", &held); err != nil {
			t.Fatalf("the child says %q", said)
		}
		full := used()
		t.Logf("NVML: %d bytes in use before, %d with %d of ballast", before, full, held)
		if full < before+held || full > before+held+2<<30 {
			t.Errorf("NVML sees %d in use, %d before, and %d are held", full, before, held)
		}
		if n, known, err := card.OthersBytes(os.Getpid()); err == nil {
			t.Logf("NVML: other processes use %d bytes (known: %v)", n, known)
		}
		second, in2, lines2, said := another(t, dir)
		if !strings.Contains(said, "refused:") || !strings.Contains(said, "another process has filled it") {
			t.Errorf("a second process says %q", said)
		}
		if err := finish(second, in2, lines2); err != nil {
			t.Errorf("the second process: %v", err)
		}
		fmt.Fprintln(in, "churn")
		if said := next(t, lines); said != "oom: 156 cuMemAlloc 2" {
			t.Errorf("the child says %q", said)
		}
		t.Logf("NVML: %d bytes in use at the refusal", used())
		if kill {
			cmd.Process.Kill()
		}
		if err := finish(cmd, in, lines); err != nil && !kill {
			t.Errorf("the child: %v", err)
		}
		// The driver clears up after the process, which takes a moment that nothing tells of.
		end := time.Now().Add(time.Minute)
		for used() > before+slack && time.Now().Before(end) {
			time.Sleep(20 * time.Millisecond)
		}
		if got := used(); got > before+slack {
			t.Errorf("killed %v: %d bytes in use afterwards, %d before", kill, got, before)
		}
	}
}
