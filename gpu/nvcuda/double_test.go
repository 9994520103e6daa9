//go:build windows || linux

package nvcuda_test

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/gpu"
	"github.com/pinring/pinring/gpu/gputest/driverdouble"
	"github.com/pinring/pinring/gpu/nvcuda"
)

// TestOnDouble runs the tests in a child process against the driver's test double, so that all that
// lies on our side of it is tested without a GPU, too. On Windows the double is in System32 or there
// is none: the tests meet it by themselves.
func TestOnDouble(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getenv("PINRING_DOUBLE_CHILD") != "" {
		t.Skip("the other tests run on the double themselves")
	}
	child := exec.Command(os.Args[0], "-test.v", "-test.run=^Test(Conformance|ForeignContext|ForeignStream|Pinned|BadPTX|Poison|PoisonChild|NoSuchDevice|Double.*)$")
	if racing {
		child.Args = append(child.Args, "-test.skip=/SubmitAllocatesNothing$")
	}
	child.Env = append(os.Environ(), "LD_LIBRARY_PATH="+driverdouble.Build(t), "PINRING_DOUBLE_CHILD=1", "PINRING_REQUIRE_CUDA=1")
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestConformance/HostKinds") || !strings.Contains(string(out), "--- PASS: TestDoubleCharge") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%d tests passed on the double", strings.Count(string(out), "--- PASS"))
}

// onDouble opens the double as the settings say; with a real driver, or none, it skips.
func onDouble(t *testing.T, s driverdouble.Settings) *nvcuda.Device {
	t.Helper()
	t.Setenv("CUDA_DOUBLE", s.String())
	d := open(t)
	if name := d.Info().Name; !strings.Contains(name, "Double") {
		ok(t, d.Close())
		t.Skipf("%s is no double", name)
	}
	return d
}

func used(t *testing.T, d gpu.Device) int64 {
	t.Helper()
	m, err := d.MemInfo()
	ok(t, err)
	return m.Total - m.Free
}

// TestDoubleCharge: each kind costs what the settings say, stays for the delay, and comes back.
func TestDoubleCharge(t *testing.T) {
	s := driverdouble.Settings{Total: 8 << 30, Others: 900 << 20, Context: 450 << 20, ChargeSmall: 1016, ChargeLarge: 1050,
		Kinds: []string{"pinned", "registered"}, Reclaim: 150 * time.Millisecond}
	d := onDouble(t, s)
	before := used(t, d)
	if before != s.Others+s.Context {
		t.Errorf("%d bytes are in use before anything was allocated, want %d", before, s.Others+s.Context)
	}
	for _, size := range []int64{4096, 6_221_824, 512 << 20, 768 << 20, 2 << 30} {
		for kind, want := range map[gpu.HostKind]int64{gpu.Pinned: s.Charge(size), gpu.Registered: s.Charge(size), gpu.Pageable: 0, gpu.Mapped: 0, gpu.Managed: 0} {
			if kind == gpu.Pinned && size < 8192 {
				continue // the device asks for a page more there
			}
			b, err := d.AllocHost(int(size), kind)
			ok(t, err)
			if got := used(t, d) - before; got != want {
				t.Errorf("%v, %d bytes: charged %d, want %d", kind, size, got, want)
			}
			freed := time.Now()
			ok(t, b.Free())
			for used(t, d) != before {
				time.Sleep(time.Millisecond)
			}
			if late := time.Since(freed); want > 0 && late < s.Reclaim {
				t.Errorf("%v: the charge was gone after %v, want not before %v", kind, late, s.Reclaim)
			}
		}
	}
	ok(t, d.Close())
}

// TestDoubleBudget: what passes the budget is refused, and fits once there is room.
func TestDoubleBudget(t *testing.T) {
	d := onDouble(t, driverdouble.Settings{Total: 8 << 30, Others: 1 << 30, Budget: 1<<30 + 20_000_000, ChargeSmall: 1000})
	var kept []gpu.HostBuffer
	var oom *gpu.OutOfMemoryError
	for {
		b, err := d.AllocHost(6_221_824, gpu.Pinned)
		if errors.As(err, &oom) {
			break
		}
		ok(t, err)
		kept = append(kept, b)
	}
	if len(kept) != 3 || oom.Call != "cuMemHostAlloc" || oom.Code != 2 || oom.Requested != 6_221_824 {
		t.Errorf("%d buffers fit, then %+v; want 3", len(kept), oom)
	}
	ok(t, kept[0].Free())
	b, err := d.AllocHost(6_221_824, gpu.Pinned)
	ok(t, err)
	ok(t, errors.Join(b.Free(), kept[1].Free(), kept[2].Free(), d.Close()))
}

// TestDoubleFailures: each call that the device makes is made to fail once. Nothing is left behind,
// and the error names the call.
func TestDoubleFailures(t *testing.T) {
	for _, call := range []string{"cuMemAlloc", "cuMemHostAlloc", "cuMemHostRegister", "cuMemHostGetDevicePointer", "cuMemAllocManaged",
		"cuStreamCreate", "cuEventCreate", "cuModuleLoadDataEx"} {
		d := onDouble(t, driverdouble.Settings{Fail: []string{call + ":1:304"}})
		err := allOfIt(d)
		var device *gpu.DeviceError
		if !errors.As(err, &device) || device.Call != call || device.Code != 304 {
			t.Errorf("%s: %v", call, err)
		}
		if err := d.Close(); err != nil {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// allOfIt makes one of each thing and frees it.
func allOfIt(d *nvcuda.Device) (err error) {
	var undo []func() error
	defer func() {
		for _, f := range undo {
			err = errors.Join(err, f())
		}
	}()
	b, err := d.Alloc(4096)
	if err != nil {
		return err
	}
	undo = append(undo, b.Free)
	for k := range gpu.NumHostKinds {
		h, err := d.AllocHost(4096, gpu.HostKind(k))
		if err != nil {
			return err
		}
		undo = append(undo, h.Free)
	}
	s, err := d.NewStream()
	if err != nil {
		return err
	}
	undo = append(undo, s.Close)
	e, err := d.NewEvent(true)
	if err != nil {
		return err
	}
	undo = append(undo, e.Close)
	p, err := d.Load(gpu.Module{PTX: ".version 6.0\n"})
	if err != nil {
		return err
	}
	undo = append(undo, p.Close)
	return nil
}

// TestDoubleNoDevice: a driver without a card is an error that says so.
func TestDoubleNoDevice(t *testing.T) {
	ok(t, onDouble(t, driverdouble.Settings{}).Close())
	t.Setenv("CUDA_DOUBLE", driverdouble.Settings{NoDevice: true}.String())
	_, err := nvcuda.Open(0)
	var none *nvcuda.NoDriverError
	if !errors.As(err, &none) || none.Code != 100 || !strings.Contains(err.Error(), "no device") {
		t.Errorf("Open = %v", err)
	}
}

// TestDoubleIdentity: what other libraries know the device by.
func TestDoubleIdentity(t *testing.T) {
	d := onDouble(t, driverdouble.Settings{LUID: []byte{1, 2, 3, 4, 5, 6, 7, 8}})
	i := d.Info()
	if i.LUID != [8]byte{1, 2, 3, 4, 5, 6, 7, 8} || i.UUID != "GPU-5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a5a" || i.PCI != "0000:3b:00.0" {
		t.Errorf("%+v", i)
	}
	if i.DriverModelIsWDDM != (runtime.GOOS == "windows") {
		t.Errorf("DriverModelIsWDDM is %v", i.DriverModelIsWDDM)
	}
	ok(t, d.Close())
	if same, err := nvcuda.Describe(0); err != nil || same != i { // without a context
		t.Errorf("Describe(0) = %+v, %v, want %+v", same, err, i)
	}
}
