//go:build cuda && linux

package nvml

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	nv "github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock"
)

// card is a mocked device that answers as the fields say.
type card struct {
	memory            nv.Memory
	v2                nv.Memory_v2
	v2Result          nv.Return
	model             nv.DriverModel
	modelResult       nv.Return
	compute, graphics []nv.ProcessInfo
	processResult     nv.Return
}

type symbols struct{ missing bool }

func (s symbols) LookupSymbol(name string) error {
	if s.missing {
		return errors.New("no symbol " + name)
	}
	return nil
}

func (c card) device(missing bool) *Device {
	dev := &mock.Device{
		GetMemoryInfoFunc:               func() (nv.Memory, nv.Return) { return c.memory, nv.SUCCESS },
		GetMemoryInfo_v2Func:            func() (nv.Memory_v2, nv.Return) { return c.v2, c.v2Result },
		GetDriverModelFunc:              func() (nv.DriverModel, nv.DriverModel, nv.Return) { return c.model, c.model, c.modelResult },
		GetComputeRunningProcessesFunc:  func() ([]nv.ProcessInfo, nv.Return) { return c.compute, c.processResult },
		GetGraphicsRunningProcessesFunc: func() ([]nv.ProcessInfo, nv.Return) { return c.graphics, c.processResult },
	}
	lib := &mock.Interface{ExtensionsFunc: func() nv.ExtendedInterface { return symbols{missing} }}
	return &Device{lib: lib, dev: dev}
}

func TestMemory(t *testing.T) {
	c := card{memory: nv.Memory{Total: 100, Free: 60, Used: 40}, v2: nv.Memory_v2{Total: 100, Free: 60, Used: 30, Reserved: 10}}
	for _, test := range []struct {
		missing bool
		result  nv.Return
		want    Memory
	}{
		{false, nv.SUCCESS, Memory{100, 60, 30, 10}},
		{true, nv.SUCCESS, Memory{100, 60, 40, 0}},
		{false, nv.ERROR_NOT_SUPPORTED, Memory{100, 60, 40, 0}},
	} {
		c.v2Result = test.result
		if got, err := c.device(test.missing).Memory(); err != nil || got != test.want {
			t.Errorf("%+v: Memory = %+v, %v", test, got, err)
		}
	}
}

// A library that tells nonsense is an error, not a figure and not the end of the program.
func TestNonsenseIsRefused(t *testing.T) {
	for _, n := range []uint64{math.MaxUint64, 1 << 63, 1 << 62} {
		for _, c := range []card{{v2: nv.Memory_v2{Total: n}}, {v2: nv.Memory_v2{Total: 100, Used: n}}, {memory: nv.Memory{Total: 100, Free: n}, v2Result: nv.ERROR_UNKNOWN}} {
			if m, err := c.device(false).Memory(); err == nil || m != (Memory{}) {
				t.Errorf("%d: %+v, %v", n, m, err)
			}
		}
	}
	c := card{compute: []nv.ProcessInfo{{Pid: 8, UsedGpuMemory: 1 << 62}, {Pid: 9, UsedGpuMemory: 1 << 62}}}
	if got, known, err := c.device(false).OthersBytes(7); known || err != nil || got != 0 {
		t.Errorf("%d, %v, %v", got, known, err)
	}
	d := c.device(false)
	d.dev.(*mock.Device).GetComputeRunningProcessesFunc = func() ([]nv.ProcessInfo, nv.Return) {
		n := 3
		return make([]nv.ProcessInfo, 1)[:n], nv.SUCCESS // as go-nvml does when the count is wrong
	}
	if list, known, err := d.Processes(); list != nil || known || err == nil {
		t.Errorf("%v, %v, %v", list, known, err)
	}
}

func TestDriverModel(t *testing.T) {
	for _, test := range []struct {
		card card
		want DriverModel
		err  bool
	}{
		{card{modelResult: nv.ERROR_NOT_SUPPORTED}, Linux, false},
		{card{model: nv.DRIVER_WDDM}, WDDM, false},
		{card{model: nv.DRIVER_WDM}, TCC, false},
		{card{model: nv.DRIVER_MCDM}, MCDM, false},
		{card{modelResult: nv.ERROR_GPU_IS_LOST}, "", true},
	} {
		if got, err := test.card.device(false).DriverModel(); got != test.want || (err != nil) != test.err {
			t.Errorf("DriverModel = %q, %v, want %q", got, err, test.want)
		}
	}
}

func TestOthersBytes(t *testing.T) {
	list := func(pairs ...uint64) (l []nv.ProcessInfo) {
		for i := 0; i < len(pairs); i += 2 {
			l = append(l, nv.ProcessInfo{Pid: uint32(pairs[i]), UsedGpuMemory: pairs[i+1]})
		}
		return l
	}
	for name, test := range map[string]struct {
		card  card
		want  int64
		known bool
		err   bool
	}{
		"nobody else":         {card: card{compute: list(7, 500)}, known: true},
		"two others":          {card: card{compute: list(7, 500, 8, 20), graphics: list(9, 3)}, want: 23, known: true},
		"in both lists":       {card: card{compute: list(8, 20), graphics: list(8, 20)}, want: 20, known: true},
		"one is not told":     {card: card{compute: list(8, math.MaxUint64, 9, 4)}},
		"own is not told":     {card: card{compute: list(7, math.MaxUint64, 9, 4)}, want: 4, known: true},
		"not supported":       {card: card{processResult: nv.ERROR_NOT_SUPPORTED}},
		"not permitted":       {card: card{processResult: nv.ERROR_NO_PERMISSION}},
		"the card is no more": {card: card{processResult: nv.ERROR_GPU_IS_LOST}, err: true},
	} {
		got, known, err := test.card.device(false).OthersBytes(7)
		if got != test.want || known != test.known || (err != nil) != test.err {
			t.Errorf("%s: OthersBytes = %d, %v, %v", name, got, known, err)
		}
	}
}

func TestFind(t *testing.T) {
	lib := &mock.Interface{
		DeviceGetHandleByUUIDFunc: func(s string) (nv.Device, nv.Return) {
			if s == "GPU-1" {
				return &mock.Device{}, nv.SUCCESS
			}
			return nil, nv.ERROR_NOT_FOUND
		},
		DeviceGetHandleByPciBusIdFunc: func(s string) (nv.Device, nv.Return) { return nil, nv.ERROR_NOT_FOUND },
	}
	m := &Meter{lib: lib}
	if _, err := m.Find("GPU-1", "ignored"); err != nil {
		t.Error(err)
	}
	if _, err := m.Find("GPU-2", ""); !errors.Is(err, ErrNoDevice) {
		t.Errorf("unknown UUID: %v", err)
	}
	if _, err := m.Find("", "0000:00:00.0"); !errors.Is(err, ErrNoDevice) {
		t.Errorf("unknown address: %v", err)
	}
	if _, err := m.Find("", ""); err == nil {
		t.Error("a device without identity was found")
	}
}

// TestOpen runs against whatever this machine has.
func TestOpen(t *testing.T) {
	m, err := Open()
	if err != nil {
		if os.Getenv("PINRING_REQUIRE_CUDA") == "1" {
			t.Fatalf("PINRING_REQUIRE_CUDA is set: %v", err)
		}
		if !strings.Contains(err.Error(), "nvmlInit") {
			t.Errorf("%v does not name the call", err)
		}
		t.Skipf("no NVML: %v", err)
	}
	version, err := m.DriverVersion()
	if err != nil || version == "" {
		t.Errorf("DriverVersion = %q, %v", version, err)
	}
	cuda, err := m.CUDAVersion()
	if err != nil || cuda < 11000 {
		t.Errorf("CUDAVersion = %d, %v", cuda, err)
	}
	dev, r := m.lib.DeviceGetHandleByIndex(0)
	if r != nv.SUCCESS {
		t.Skipf("no device: %s", nv.ErrorString(r))
	}
	uuid, _ := dev.GetUUID()
	pci, _ := dev.GetPciInfo()
	testDevice(t, m, uuid, "")
	testDevice(t, m, "", address(pci))
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

func address(p nv.PciInfo) string {
	var b []byte
	for _, c := range p.BusId {
		if c == 0 {
			break
		}
		b = append(b, byte(c))
	}
	return string(b)
}

func testDevice(t *testing.T, m *Meter, uuid, pci string) {
	d, err := m.Find(uuid, pci)
	if err != nil {
		t.Fatal(err)
	}
	mem, err := d.Memory()
	if err != nil || mem.Total <= 0 || mem.Free+mem.Used+mem.Reserved > mem.Total {
		t.Errorf("Memory = %+v, %v", mem, err)
	}
	model, err := d.DriverModel()
	if err != nil || model != Linux {
		t.Errorf("DriverModel = %q, %v", model, err)
	}
	others, known, err := d.OthersBytes(os.Getpid())
	if err != nil {
		t.Errorf("OthersBytes: %v", err)
	}
	t.Logf("%s%s: %+v, others %d bytes (known: %v)", uuid, pci, mem, others, known)
}
