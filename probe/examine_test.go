package probe_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/probe"
)

const (
	card  = "sys/bus/pci/devices/0000:3b:00.0/"
	noLib = "libcuda.so.1: cannot open shared object file: No such file or directory"
)

func files(text map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, s := range text {
		m[name] = &fstest.MapFile{Data: []byte(s)}
	}
	return m
}

// linux is a machine with one card on which all is well.
func linux(change func(s *probe.System, d *probe.Driver, f map[string]string)) *probe.System {
	d := &probe.Driver{Version: "580.159.04", CUDA: 13000, Cards: []probe.Card{{Name: "A Card", PCI: "0000:3b:00.0", Total: 24e9, Used: 1e9,
		Model: budget.ModelLinux, Generation: 4, MaxGeneration: 4, Width: 16, MaxWidth: 16, OthersKnown: true}}}
	f := map[string]string{card + "vendor": "0x10de\n", card + "class": "0x030200\n", card + "numa_node": "0\n", "dev/nvidiactl": "",
		"sys/devices/system/node/online":          "0\n",
		"proc/driver/nvidia/version":              "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue\nGCC version: 12\n",
		"sys/bus/pci/devices/0000:00:1f.0/vendor": "0x8086\n"}
	s := &probe.System{OS: "linux", Release: "linux/amd64 6.1", Cores: 8, Env: func(string) (string, bool) { return "", false },
		CUDA: func() (int, error) { return 1, nil }, Library: func(string) error { return nil },
		Host:  func() (budget.HostLimits, error) { return budget.HostLimits{Available: 32e9, Memlock: 8 << 20}, nil },
		Quota: func() (probe.Quota, error) { return probe.Quota{}, nil }}
	if change != nil {
		change(s, d, f)
	}
	s.Files = files(f)
	if s.Driver == nil {
		s.Driver = func() (*probe.Driver, error) { return d, nil }
	}
	return s
}

func examine(s *probe.System) *probe.Examination {
	return probe.Examine(context.Background(), s, time.Minute)
}

func TestAllIsWell(t *testing.T) {
	e := examine(linux(nil))
	for _, f := range e.Findings {
		if f.Level != probe.OK {
			t.Errorf("%+v", f)
		}
	}
	if !e.Card || e.Verdict() != "ready: an NVIDIA card can be used" {
		t.Error(e.Verdict())
	}
}

// Each fault is found by the check that it belongs to, at its level, with what to do; and by no other
// check at a higher one.
func TestFaults(t *testing.T) {
	env := func(pairs ...string) func(string) (string, bool) {
		return func(name string) (string, bool) {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1], true
				}
			}
			return "", false
		}
	}
	type change = func(s *probe.System, d *probe.Driver, f map[string]string)
	for name, test := range map[string]struct {
		change change
		check  string
		level  probe.Level
		text   string // contained
		advice string // contained
	}{
		"old driver": {func(_ *probe.System, d *probe.Driver, f map[string]string) {
			d.Version = "535.54.03"
			f["proc/driver/nvidia/version"] = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue\n"
		}, "driver version", probe.Warning, "535.54.03", "550"},
		"two versions": {func(_ *probe.System, d *probe.Driver, _ map[string]string) { d.Version = "575.1.1" }, "driver version", probe.Problem, "580.159.04", "restart"},
		"library missing": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.CUDA = func() (int, error) { return 0, errors.New(noLib) }
		}, "driver library", probe.Problem, noLib, "nvidia-smi"},
		"library missing in a container": {func(s *probe.System, _ *probe.Driver, f map[string]string) {
			s.CUDA = func() (int, error) { return 0, errors.New(noLib) }
			f[".dockerenv"] = ""
		}, "driver library", probe.Problem, noLib, "--gpus all"},
		"no device shown": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.CUDA, s.Env = func() (int, error) { return 0, nil }, env("CUDA_VISIBLE_DEVICES", "7")
		}, "driver library", probe.Problem, `"7"`, "CUDA_VISIBLE_DEVICES"},
		"an empty list of devices": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.CUDA, s.Env = func() (int, error) { return 0, nil }, env("CUDA_VISIBLE_DEVICES", "")
		}, "driver library", probe.Problem, `is ""`, "unset it"},
		"no device, and no list": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.CUDA = func() (int, error) { return 0, nil }
		}, "driver library", probe.Problem, "shows no device", "nvidia-smi -L"},
		"no device in a container": {func(s *probe.System, _ *probe.Driver, f map[string]string) {
			s.CUDA = func() (int, error) { return 0, nil }
			f[".dockerenv"] = ""
		}, "driver library", probe.Problem, "shows no device", "--gpus all"},
		"a program without CUDA": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.Lacks = errors.New("built without it")
		}, "this program", probe.Problem, "built without it", "make build"},
		"version mismatch": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.Driver = func() (*probe.Driver, error) { return nil, errors.New("nvmlInit: Driver/library version mismatch") }
		}, "management library", probe.Problem, "mismatch", "restart"},
		"no management library": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.Driver = func() (*probe.Driver, error) {
				return nil, errors.New("libnvidia-ml.so.1: cannot open shared object file")
			}
		}, "management library", probe.Warning, "libnvidia-ml.so.1", "driver"},
		"no nodes": {func(_ *probe.System, _ *probe.Driver, f map[string]string) { delete(f, "dev/nvidiactl") }, "device nodes", probe.Problem, "0000:3b:00.0", "modprobe"},
		"WSL2":     {func(_ *probe.System, _ *probe.Driver, f map[string]string) { f["dev/dxg"] = "" }, "WSL2", probe.Warning, "Windows", "probe"},
		"without video libraries": {func(s *probe.System, _ *probe.Driver, f map[string]string) {
			s.Env = env("NVIDIA_DRIVER_CAPABILITIES", "compute,utility")
			f[".dockerenv"] = ""
		}, "container", probe.Warning, "Docker", "video"},
		"no NVENC": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.Library = func(name string) error {
				if strings.Contains(name, "encode") {
					return errors.New(name + ": cannot open shared object file")
				}
				return nil
			}
		}, "NVENC", probe.Warning, "libnvidia-encode.so.1", "libraries"},
		"little memory": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.Host = func() (budget.HostLimits, error) { return budget.HostLimits{Available: 32e9, CgroupLeft: 200e6}, nil }
		}, "host memory", probe.Warning, "200.0 MB", "memory.max"},
		"narrow link": {func(_ *probe.System, d *probe.Driver, _ map[string]string) { d.Cards[0].Width = 4 }, "PCIe link", probe.Warning, "4 of 16 lanes", "slot"},
		"full card":   {func(_ *probe.System, d *probe.Driver, _ map[string]string) { d.Cards[0].Used = 23e9 }, "video memory", probe.Warning, "23.00 GB", "nvidia-smi"},
		"many others": {func(_ *probe.System, d *probe.Driver, _ map[string]string) {
			d.Cards[0].Others = []probe.Other{{PID: 1, Bytes: 9e9}, {PID: 2, Bytes: 8e9}}
		}, "other processes", probe.Warning, "2 processes with 17.00 GB", "merge"},
		"no runtime folder": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.Quota = func() (probe.Quota, error) { return probe.Quota{}, errors.New("permission denied") }
		}, "shared cap", probe.Warning, "permission denied", "PINRING_RUNTIME_DIR"},
		"no x264": {func(s *probe.System, _ *probe.Driver, _ map[string]string) {
			s.FFmpeg = func() ([]string, map[string]bool) { return []string{"libavcodec 59"}, map[string]bool{"ffv1": true} }
		}, "encoders", probe.Warning, "without libx264", "--vcodec"},
		"a far node": {func(_ *probe.System, _ *probe.Driver, f map[string]string) {
			f["sys/devices/system/node/online"], f[card+"numa_node"] = "0-1\n", "1\n"
		}, "NUMA", probe.OK, "node 1 of 0-1", "numactl --cpunodebind=1"},
		"MPS": {func(_ *probe.System, _ *probe.Driver, f map[string]string) { f["tmp/nvidia-mps/control"] = "" }, "MPS", probe.OK, "on (/tmp/nvidia-mps)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			found := false
			for _, f := range examine(linux(test.change)).Findings {
				if f.Name == test.check && f.Level == test.level {
					found = true
					if !strings.Contains(f.Text, test.text) || !strings.Contains(f.Advice, test.advice) {
						t.Errorf("%+v", f)
					}
				}
				if f.Level > test.level {
					t.Errorf("another: %+v", f)
				}
				if f.Level != probe.OK && f.Advice == "" {
					t.Errorf("nothing to do: %+v", f)
				}
			}
			if !found {
				t.Errorf("%s did not find it", test.check)
			}
		})
	}
}

func TestWithoutACard(t *testing.T) {
	e := examine(&probe.System{OS: "linux", Release: "linux/amd64", Files: files(nil),
		CUDA:   func() (int, error) { return 0, fmt.Errorf("%s (%w)", noLib, fs.ErrNotExist) },
		Driver: func() (*probe.Driver, error) { return nil, errors.New("nvmlInit: libnvidia-ml.so.1") }})
	if e.Card || e.Verdict() != "no NVIDIA card: CPU device" {
		t.Errorf("%s: %+v", e.Verdict(), e.Findings)
	}
	if s := probe.File(e.Settings); !strings.Contains(s, "device: cpu\n") {
		t.Error(s)
	}
}

// A library that is there and does not load is told of, though no card is seen.
func TestABrokenLibrary(t *testing.T) {
	const words = "/lib/libcuda.so.1: file too short"
	e := examine(&probe.System{OS: "linux", Files: files(nil), CUDA: func() (int, error) { return 0, errors.New(words) },
		Driver: func() (*probe.Driver, error) { return nil, errors.New("nvmlInit") }})
	f := e.Findings[1]
	if e.Verdict() != "no NVIDIA card: CPU device; 1 warning" || f.Level != probe.Warning || !strings.Contains(f.Text, words) || !strings.Contains(f.Advice, "LD_LIBRARY_PATH") {
		t.Errorf("%s, %+v", e.Verdict(), f)
	}
}

func TestWindows(t *testing.T) {
	s := &probe.System{OS: "windows", Release: "windows/amd64", Build: 22631, CUDA: func() (int, error) { return 1, nil },
		Driver: func() (*probe.Driver, error) {
			return &probe.Driver{Version: "551.86", CUDA: 12040, Cards: []probe.Card{{Name: "A Card", Total: 8 << 30, Model: budget.ModelWDDM}}}, nil
		},
		Host: func() (budget.HostLimits, error) { return budget.HostLimits{Available: 20e9}, nil }}
	e := examine(s)
	text := fmt.Sprint(e.Findings)
	for _, want := range []string{"WDDM 3.1", "Sysmem Fallback Policy", "budget of video memory"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	if f := probe.File(e.Settings); !strings.Contains(f, "max-pinned: 256MiB\n") || !strings.Contains(f, "guard-policy: degrade\n") {
		t.Error(f)
	}
	s.Build = 17763
	if worst, _, _ := examine(s).Worst(); worst != probe.Warning {
		t.Error("an old Windows is not warned of")
	}
}

// What hangs is said to, and keeps nobody.
func TestNothingHangs(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	hang := linux(func(s *probe.System, _ *probe.Driver, _ map[string]string) {
		s.Driver = func() (*probe.Driver, error) { <-stop; return nil, nil }
		s.Library = func(string) error { <-stop; return nil }
	})
	e := probe.Examine(context.Background(), hang, 100*time.Millisecond)
	late := 0
	for _, f := range e.Findings {
		if strings.Contains(f.Text, "no answer") {
			late++
		}
	}
	if late < 3 { // the management library, NVDEC, NVENC
		t.Errorf("%d checks say that they hang: %+v", late, e.Findings)
	}
}

// A file system that fails at every turn makes no check fail.
func TestBrokenFiles(t *testing.T) {
	s := linux(nil)
	s.Files = broken{}
	examine(s)
}

type broken struct{}

func (broken) Open(string) (fs.File, error) { return nil, errors.New("input/output error") }

// A card that is there is not said to be missing when it cannot be used, and a program that can use none
// recommends nothing to the others that read the same settings.
func TestACardThatCannotBeUsed(t *testing.T) {
	const verdict = "an NVIDIA card is here, and cannot be used: CPU device; 1 problem"
	e := examine(linux(func(s *probe.System, _ *probe.Driver, _ map[string]string) { s.Lacks = errors.New("built without it") }))
	if e.Card || e.Verdict() != verdict || len(e.Settings) > 0 {
		t.Errorf("built without: %s, %+v", e.Verdict(), e.Settings)
	}
	e = examine(linux(func(s *probe.System, _ *probe.Driver, _ map[string]string) {
		s.CUDA = func() (int, error) { return 0, errors.New(noLib) }
	}))
	if e.Card || e.Verdict() != verdict || !strings.Contains(probe.File(e.Settings), "device: cpu\n") {
		t.Errorf("without the library: %s, %+v", e.Verdict(), e.Settings)
	}
	e = examine(&probe.System{OS: "linux", Files: files(nil), Lacks: errors.New("built without it"),
		CUDA: func() (int, error) { return 0, fs.ErrNotExist }})
	if e.Verdict() != "no NVIDIA card: CPU device" {
		t.Errorf("no card: %s, %+v", e.Verdict(), e.Findings)
	}
}
