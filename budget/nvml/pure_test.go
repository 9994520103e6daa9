//go:build windows || (linux && !cuda)

package nvml

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/pinring/pinring/gpu/gputest/driverdouble"
)

// double is the identity of the test double's card.
const double = "GPU-5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a5a"

// TestOnDouble runs the tests against the management library's test double. On Windows it is in
// System32, or there is none.
func TestOnDouble(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getenv("PINRING_DOUBLE_CHILD") != "" {
		t.Skip("the other tests run on the double themselves")
	}
	child := exec.Command(os.Args[0], "-test.v", "-test.run=^TestPure")
	child.Env = append(os.Environ(), "LD_LIBRARY_PATH="+driverdouble.Build(t), "PINRING_DOUBLE_CHILD=1")
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestPureDevice") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// onDouble skips where the library is not the double.
func onDouble(t *testing.T) *Meter {
	t.Helper()
	m, err := Open()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	if v, err := m.DriverVersion(); err != nil || v != "580.00" {
		t.Skipf("driver %q, %v: no double", v, err)
	}
	return m
}

func TestPureDevice(t *testing.T) {
	m := onDouble(t)
	if v, err := m.CUDAVersion(); err != nil || v != 13000 {
		t.Errorf("CUDAVersion = %d, %v", v, err)
	}
	for _, id := range [][2]string{{double, ""}, {"", "0000:3b:00.0"}} {
		d, err := m.Find(id[0], id[1])
		if err != nil {
			t.Fatal(err)
		}
		if mem, err := d.Memory(); err != nil || mem != (Memory{Total: 1 << 30, Free: 1 << 30}) {
			t.Errorf("Memory = %+v, %v", mem, err)
		}
		model, err := d.DriverModel()
		if want := map[bool]DriverModel{true: WDDM, false: Linux}[runtime.GOOS == "windows"]; err != nil || model != want {
			t.Errorf("DriverModel = %q, %v, want %q", model, err, want)
		}
		list, known, err := d.Processes()
		if err != nil || !known || len(list) != 1 || list[0].PID != 4242 || list[0].Known == (runtime.GOOS == "windows") {
			t.Errorf("Processes = %+v, %v, %v", list, known, err)
		}
		bytes, known, err := d.OthersBytes(os.Getpid())
		if err != nil || known == (runtime.GOOS == "windows") || known && bytes != 123456 {
			t.Errorf("OthersBytes = %d, %v, %v", bytes, known, err)
		}
	}
}

func TestPureCards(t *testing.T) {
	m := onDouble(t)
	if n, err := m.Count(); err != nil || n != 1 {
		t.Fatalf("Count = %d, %v", n, err)
	}
	d, err := m.At(0)
	if err != nil {
		t.Fatal(err)
	}
	name, err := d.Name()
	pci, perr := d.PCI()
	link, lerr := d.Link()
	if err != nil || perr != nil || lerr != nil || name != "Test Double (no GPU)" || pci != "0000:3b:00.0" || link != (Link{1, 5, 8, 16}) {
		t.Errorf("%q, %v; %q, %v; %+v, %v", name, err, pci, perr, link, lerr)
	}
	if _, err := m.At(1); !errors.Is(err, ErrNoDevice) {
		t.Errorf("At(1): %v", err)
	}
}

func TestPureUnknownDevice(t *testing.T) {
	m := onDouble(t)
	if _, err := m.Find("GPU-1", ""); !errors.Is(err, ErrNoDevice) {
		t.Errorf("Find = %v", err)
	}
	if _, err := m.Find("", ""); err == nil {
		t.Error("a device without identity was found")
	}
}

// TestLayout holds the structs to what nvml.h says of them on 64 bits.
func TestLayout(t *testing.T) {
	if unsafe.Sizeof(memoryV1{}) != 24 || unsafe.Sizeof(memoryV2{}) != 40 || unsafe.Sizeof(processInfo{}) != 24 {
		t.Errorf("sizes %d, %d, %d", unsafe.Sizeof(memoryV1{}), unsafe.Sizeof(memoryV2{}), unsafe.Sizeof(processInfo{}))
	}
	var m memoryV2
	var p processInfo
	for _, x := range [][2]uintptr{{unsafe.Offsetof(m.version), 0}, {unsafe.Offsetof(m.total), 8}, {unsafe.Offsetof(m.reserved), 16}, {unsafe.Offsetof(m.free), 24},
		{unsafe.Offsetof(m.used), 32}, {unsafe.Offsetof(p.pid), 0}, {unsafe.Offsetof(p.used), 8}, {unsafe.Offsetof(p.gpuInstance), 16}, {unsafe.Offsetof(p.computeInstance), 20}} {
		if x[0] != x[1] {
			t.Errorf("an offset is %d, nvml.h has %d", x[0], x[1])
		}
	}
	if memoryV2Version != 0x02000028 {
		t.Errorf("version %#x", memoryV2Version)
	}
}

func TestNoLibrary(t *testing.T) {
	m, err := Open()
	if err == nil {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		t.Skip("there is NVML here")
	}
	if !strings.Contains(err.Error(), "nvmlInit") || !strings.Contains(err.Error(), libraryName) {
		t.Errorf("%v does not name call and library", err)
	}
}
