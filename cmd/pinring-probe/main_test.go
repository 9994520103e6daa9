package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
	"github.com/pinring/pinring/report"
)

// TestMain is the program itself where a test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("PINRING_TEST_AS_PROGRAM") == "1" {
		main()
		return
	}
	code := m.Run()
	if dir, err := built(); runtime.GOOS != "windows" && err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// onWine says that the tests run under wine, with the doubles in System32.
var onWine = runtime.GOOS == "windows" && os.Getenv("PINRING_TEST_WINE") == "1"

// built is the program as users of Linux without cgo build it, and the folder of the double.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "pinring-probe-test")
	if err != nil {
		return "", err
	}
	root, err := driverdouble.Root()
	if err != nil {
		return "", err
	}
	if err := driverdouble.Linux().Compile(root, dir); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, program), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	return dir, nil
})

// result is what an invocation gave.
type result struct {
	code     int
	out, err string
}

// run runs the program with the double as its driver. No double: no driver.
func run(t *testing.T, double *driverdouble.Settings, stdin string, args ...string) result {
	t.Helper()
	cmd := command(t, double, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	if strings.ContainsRune(r.out+r.err, '\x1b') {
		t.Errorf("%v: escape sequences in the output", args)
	}
	return r
}

func command(t *testing.T, double *driverdouble.Settings, args ...string) *exec.Cmd {
	t.Helper()
	var cmd *exec.Cmd
	if runtime.GOOS == "windows" {
		if !onWine {
			t.Skip("on a real Windows the driver is the machine's")
		}
		cmd = exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), "PINRING_TEST_AS_PROGRAM=1")
		if double == nil {
			hideLibrary(t, "nvcuda.dll")
		}
	} else {
		dir, err := built()
		if err != nil {
			t.Fatal(err)
		}
		cmd = exec.Command(filepath.Join(dir, program), args...)
		cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir)
		if double == nil {
			cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH=")
		}
	}
	cmd.Env = append(cmd.Env, "PINRING_CONFIG="+os.DevNull)
	if double != nil {
		cmd.Env = append(cmd.Env, double.Env())
	}
	return cmd
}

// hideLibrary takes a double out of System32 for the length of a test, which may ask for it more than once.
func hideLibrary(t *testing.T, library string) {
	name := filepath.Join(os.Getenv("SystemRoot"), "System32", library)
	if _, err := os.Stat(name + ".away"); err == nil {
		return
	}
	if err := os.Rename(name, name+".away"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Rename(name+".away", name); err != nil {
			t.Error(err)
		}
	})
}

// charging is a card that charges pinned memory and takes its time to give it back.
func charging() *driverdouble.Settings {
	return &driverdouble.Settings{Total: 2_000_000_000, Others: 1_830_000_000, Context: 50_000_000,
		ChargeSmall: 1016, ChargeLarge: 1050, Reclaim: 2500 * time.Millisecond}
}

func TestCompareOnDouble(t *testing.T) {
	r := run(t, charging(), "", "compare", "--size", "960x540", "--in-flight", "2", "--frames", "120", "--json", "-", "--modes", "reuse,churn,pageable,guarded",
		"--device", "cuda:0")
	var c report.Compare
	if err := json.Unmarshal([]byte(r.out), &c); err != nil || r.code != 0 {
		t.Fatalf("exit %d, %v\n%s%s", r.code, err, r.out, r.err)
	}
	var rows []report.Run
	for _, run := range c.Runs {
		if !run.Emulated { // Linux adds emulated ones
			rows = append(rows, run)
		}
	}
	if len(rows) != 4 {
		t.Fatalf("%d rows, want 4\n%s", len(rows), r.err)
	}
	for i, want := range []report.Outcome{report.OK, report.OOM, report.OK, report.OK} {
		if rows[i].Outcome != want || rows[i].Device.Name != "Test Double (no GPU)" {
			t.Errorf("row %d (%s) ended as %q on %s: %+v", i, rows[i].Staging, rows[i].Outcome, rows[i].Device.Name, rows[i].Error)
		}
	}
	churn, guarded := rows[1], rows[3]
	if o := churn.OutOfMemory; o == nil || o.Call != "cuMemHostAlloc" || o.Code != 2 || o.RequestedBytes != 1_555_200 {
		t.Errorf("churn: %+v", o)
	}
	if b := guarded.Budget; b == nil || b.ThrottledSeconds <= 0 || guarded.Frames.Delivered != 120 {
		t.Errorf("guarded: %+v, %+v", b, guarded.Frames)
	}
	if n := rows[0].HostMemory.Upload; n == nil || n.Frees != 0 || rows[0].Frames.CopiedToSlot != 0 {
		t.Errorf("reuse: %+v, %+v", n, rows[0].Frames)
	}
	model := "Linux"
	if runtime.GOOS == "windows" {
		model = "WDDM"
	}
	if m := rows[0].Device.DriverModel; m == nil || *m != model {
		t.Errorf("driver model %v, want %s", m, model)
	}
	if strings.Contains(r.err, "not shared") { // the quota's locks work on this system
		t.Error(r.err)
	}
	// The double tells no LUID here, so DXGI's adapter cannot be found, and that is said once.
	if n := strings.Count(r.err, "the guard goes on without DXGI"); onWine && n != 1 {
		t.Errorf("said %d times that DXGI is missing\n%s", n, r.err)
	}
}

// TestFilterOnDouble runs pinring's PTX's names through the double, which has the kernels' host forms.
func TestFilterOnDouble(t *testing.T) {
	r := run(t, &driverdouble.Settings{}, "YUV4MPEG2 W6 H4 F25:1 C420\nFRAME\n"+strings.Repeat("x", 36),
		"compare", "-", "--modes", "reuse", "--frames", "5", "--filter", "negate", "--device", "cuda", "--json", "-")
	var c report.Compare
	if err := json.Unmarshal([]byte(r.out), &c); err != nil || r.code != 0 || c.Runs[0].Frames.Delivered != 5 || !strings.Contains(c.Runs[0].Chain, "negate") {
		t.Errorf("exit %d, %v\n%s%s", r.code, err, r.out, r.err)
	}
}

// TestAllModes: each way to have memory works, with kernels and without.
func TestAllModes(t *testing.T) {
	for _, chain := range []string{"", "negate"} {
		r := run(t, &driverdouble.Settings{}, "", "compare", "--device", "cuda", "--size", "66x50", "--frames", "20", "--filter", chain,
			"--modes", "reuse,registered,mapped,managed,pageable,churn,guarded", "--json", "-")
		var c report.Compare
		if err := json.Unmarshal([]byte(r.out), &c); err != nil || r.code != 0 || len(c.Runs) < 7 {
			t.Fatalf("%q: exit %d, %v\n%s%s", chain, r.code, err, r.out, r.err)
		}
		for _, row := range c.Runs {
			if row.Outcome != report.OK || row.Frames.Delivered != 20 {
				t.Errorf("%q: %s ended as %s: %+v", chain, row.Staging, row.Outcome, row.Error)
			}
		}
	}
}

func TestReport(t *testing.T) {
	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir) // t.TempDir would report that this fails under wine
	page := filepath.Join(dir, "page.html")
	r := run(t, &driverdouble.Settings{}, "", "compare", "--size", "64x48", "--frames", "30", "--modes", "reuse", "--report", page)
	text, err := os.ReadFile(page)
	if r.code != 0 || err != nil || !bytes.Contains(text, []byte("Test Double (no GPU)")) || !bytes.Contains(text, []byte("</html>")) {
		t.Errorf("exit %d, %v, %d bytes\n%s", r.code, err, len(text), r.err)
	}
	if !strings.Contains(r.out, "Test Double (no GPU)") || !strings.Contains(r.out, "reuse finished all 30 frames") {
		t.Errorf("the table:\n%s", r.out)
	}
}

// TestNoDriver: one line, and the exit code of a device.
func TestNoDriver(t *testing.T) {
	r := run(t, nil, "", "compare")
	if r.code != 7 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "no NVIDIA driver: ") || r.out != "" {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
}

// TestEmulatedWithoutDriver: a card can be emulated on any machine.
func TestEmulatedWithoutDriver(t *testing.T) {
	r := run(t, nil, "", "compare", "--emulate", "article-video", "--modes", "churn", "--frames", "160", "--json", "-")
	var c report.Compare
	if err := json.Unmarshal([]byte(r.out), &c); err != nil || r.code != 0 || !c.Runs[0].Emulated || *c.Runs[0].OutOfMemory.Frame != 156 {
		t.Errorf("exit %d, %v\n%s%s", r.code, err, r.out, r.err)
	}
}

// TestNoCard: a driver without a card is no device either.
func TestNoCard(t *testing.T) {
	r := run(t, &driverdouble.Settings{NoDevice: true}, "", "compare", "--device", "cuda")
	if r.code != 7 || !strings.Contains(r.err, "CUDA_ERROR_NO_DEVICE") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
}

func TestExitCodes(t *testing.T) {
	for _, test := range []struct {
		args string
		code int
		text string
	}{
		{"compare --nonsense", 2, "nonsense"},
		{"nonsense", 2, "unknown command"},
		{"compare --modes nothing", 2, "not known"},
		{"compare --size 0x4", 2, "no size"},
		{"compare --device gpu", 2, "auto, cpu, cuda"},
		{"compare --frames -3", 2, "frames"},
		{"compare --filter nothing", 2, "nothing"},
		{"compare --report -", 2, "not to standard output"},
		{"compare no-such-file.y4m", 3, "no-such-file.y4m"},
		{"compare -", 3, "no y4m header"},
		{"compare --device cuda:7", 7, "there is no CUDA device 7"},
		{"compare --modes reuse --size 64x48 --frames 5 --emulate nothing", 2, "nothing"},
		{"compare --modes reuse --size 64x48 --frames 5 --json no/such/folder/x.json", 2, "x.json"},
		{"--help", 0, ""},
		{"--version", 0, ""},
	} {
		r := run(t, &driverdouble.Settings{}, "", strings.Fields(test.args)...)
		if r.code != test.code || !strings.Contains(r.err, test.text) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", test.args, r.code, test.code, test.text, r.out, r.err)
		}
	}
}

// Whatever is printed, an output that takes nothing is exit code 6.
func TestStandardOutputIsFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range []string{"--version", "--help", "probe --help", "doctor", "meminfo --json -", "probe --emulate card-24g"} {
		cmd := command(t, nil, strings.Fields(args)...)
		cmd.Stdout = full
		cmd.Run() // the exit code is looked at
		if code := cmd.ProcessState.ExitCode(); code != 6 {
			t.Errorf("%s: exit code %d", args, code)
		}
	}
}

// What is wrong with the command line is told by its exit code and before any row has run.
func TestCompareRefusesAtOnce(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{2, "a.y4m b.y4m", "compare got more than it can use: b.y4m"},
		{2, "--modes=", "--modes is empty"},
		{2, "--report=", "--report is empty"},
		{2, "--report -", "name a file"},
		{2, "--report " + page + " --json " + page, "the same file"},
		{2, "--report " + filepath.Join(dir, "none", "p.html"), "there is no folder"},
		{6, "--report " + dir, "is a folder"},
		{6, "--json " + dir, "is a folder"},
		{2, "--modez reuse", "the nearest flag is --modes"},
		{2, "--filter scale=100000:100000", "--filter: "},
		{2, "--filter scale=1:1", "--filter: "},
		{3, "--filter unsharp", "put format=yuv444p before it"},
	} {
		args := append([]string{"compare", "--emulate", "article-video", "--frames", "2", "--modes", "reuse"}, strings.Fields(c.args)...)
		r := run(t, nil, "", args...)
		if r.code != c.code || !strings.Contains(r.err, c.want) || r.out != "" || strings.Contains(r.err, "1 of ") {
			t.Errorf("%s: exit code %d, want %d and %q\n%s%s", c.args, r.code, c.code, c.want, r.err, r.out)
		}
	}
}
