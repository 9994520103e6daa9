package wddm_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/wddm"
	"github.com/pinring/pinring/gpu"
)

const (
	dirEnv  = "PINRING_TEST_CARD_DIR"
	specEnv = "PINRING_TEST_CARD_SPEC"
)

// child is a process on a shared card. For each line "pin N" it pins N bytes, for "drop" it frees all.
func child(dir, spec string) int {
	p, err := wddm.Parse(spec)
	if err != nil {
		fmt.Println("error", err)
		return 1
	}
	c, err := wddm.Emulate(&fakeDevice{}, p, wddm.Options{Dir: dir})
	if err != nil {
		fmt.Println("error", err)
		return 1
	}
	defer c.Close()
	fmt.Println("ok", localUsage(c))
	var all []gpu.HostBuffer
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var n int
		if _, err := fmt.Sscanf(in.Text(), "pin %d", &n); err == nil {
			b, err := c.AllocHost(n, gpu.Pinned)
			if err != nil {
				fmt.Println("error", err)
				continue
			}
			all = append(all, b)
		} else {
			for _, b := range all {
				b.Free()
			}
			all = nil
		}
		if _, err := c.Read(nil); err != nil {
			fmt.Println("error", err)
			continue
		}
		fmt.Println("ok", localUsage(c))
	}
	return 0
}

// tenant is such a process seen from outside.
type tenant struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func hire(t *testing.T, dir, spec string) (*tenant, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &tenant{cmd: exec.Command(exe)}
	p.cmd.Env = append(os.Environ(), dirEnv+"="+dir, specEnv+"="+spec)
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.in.Close(); p.cmd.Process.Kill(); p.cmd.Wait() })
	return p, p.answer(t)
}

func (p *tenant) answer(t *testing.T) error {
	t.Helper()
	if !p.out.Scan() {
		t.Fatal("the process has ended")
	}
	if msg, ok := strings.CutPrefix(p.out.Text(), "error "); ok {
		return errors.New(msg)
	}
	return nil
}

func (p *tenant) pin(t *testing.T, bytes int64) error {
	t.Helper()
	fmt.Fprintln(p.in, "pin", bytes)
	return p.answer(t)
}

// needFiles skips where processes cannot share a card.
func needFiles(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" && runtime.GOOS != "windows" {
		t.Skip("no locks that end with their process on " + runtime.GOOS)
	}
	return filepath.Join(t.TempDir(), "run")
}

func TestTwoProcessesDisturbEachOther(t *testing.T) {
	dir := needFiles(t)
	const spec = "article-model,card=x,resident=4GB,reclaim=0"
	watch, err := wddm.Emulate(&fakeDevice{}, mustParse(t, spec), wddm.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close()
	headroom := func() int64 {
		r, err := watch.Read(nil)
		if err != nil {
			t.Fatal(err)
		}
		return r[0].Headroom
	}
	alone := headroom()
	p, err := hire(t, dir, spec)
	if err != nil {
		t.Fatal(err)
	}
	if got := alone - headroom(); got != 450e6 {
		t.Errorf("the other's context takes %d", got)
	}
	if err := p.pin(t, 500e6); err != nil {
		t.Fatal(err)
	}
	if got := alone - headroom(); got != 450e6+508e6 {
		t.Errorf("the other's 500 MB take %d", got)
	}
	// Another card is another card.
	other, err := wddm.Emulate(&fakeDevice{}, mustParse(t, "article-model,card=y,resident=4GB"), wddm.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if r, _ := other.Read(nil); r[0].Headroom != alone {
		t.Errorf("card=y has %d left", r[0].Headroom)
	}
	// kill -9 gives everything back.
	p.cmd.Process.Kill()
	p.cmd.Wait()
	if got := headroom(); got != alone {
		t.Errorf("after the other was killed %d are left, want %d", got, alone)
	}
}

// A few hundred MB each: four processes exhaust what is enough for three.
func TestFourProcessesExhaustTheCard(t *testing.T) {
	dir := needFiles(t)
	const spec, each = "article-model,card=x,resident=3.9GB,reclaim=0", int64(400e6)
	var failed error
	for i := range 4 {
		p, err := hire(t, dir, spec)
		if err != nil {
			t.Fatal(i, err)
		}
		err = p.pin(t, each)
		if err != nil && i < 3 {
			t.Errorf("process %d: %v", i, err)
		}
		failed = err
	}
	if failed == nil || !strings.Contains(failed.Error(), "out of memory") || !strings.Contains(failed.Error(), "emulated") {
		t.Errorf("the fourth: %v", failed)
	}
	// The context itself needs room, too.
	for range 9 {
		if _, err := hire(t, dir, spec); err != nil {
			if !strings.Contains(err.Error(), "cuDevicePrimaryCtxRetain") {
				t.Error(err)
			}
			return
		}
	}
	t.Error("any number of contexts fit")
}

// Pending memory of a process that does nothing is seen to come back.
func TestOthersSeeReclaims(t *testing.T) {
	dir := needFiles(t)
	p := mustParse(t, "article-model,card=x,resident=4GB,reclaim=40ms")
	a, err := wddm.Emulate(&fakeDevice{}, p, wddm.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := wddm.Emulate(&fakeDevice{}, p, wddm.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	peers := func() int64 {
		if _, err := b.Read(nil); err != nil {
			t.Fatal(err)
		}
		return b.Snapshot().Domain[budget.DeviceLocal].Peers
	}
	for range 30 { // more than a record has buckets for
		buf, err := a.AllocHost(10e6, gpu.Pinned)
		if err != nil {
			t.Fatal(err)
		}
		buf.Free()
	}
	if n := peers(); n < 450e6 || n > 450e6+30*10160000 {
		t.Errorf("the other has %d", n)
	}
	for end := time.Now().Add(30 * time.Second); peers() != 450e6; {
		if time.Now().After(end) {
			t.Fatal("half a minute after a delay of 40 ms the memory has not come back")
		}
	}
}

func TestForeignFilesAreIgnored(t *testing.T) {
	dir := needFiles(t)
	c, err := wddm.Emulate(&fakeDevice{}, mustParse(t, "article-model,card=x"), wddm.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for name, data := range map[string]string{"a": "", "5-0123456789abcdef.share": "garbage"} {
		if err := os.WriteFile(filepath.Join(dir, "card-x", name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Read(nil); err != nil {
		t.Fatal(err)
	}
	if n := c.Counts(); n.Foreign != 1 || n.Broken != 1 || n.Peers != 0 {
		t.Errorf("%+v", n)
	}
}

func mustParse(t *testing.T, spec string) wddm.Params {
	t.Helper()
	p, err := wddm.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
