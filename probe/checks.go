package probe

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// check is one question. It may answer with several lines, or with none where it does not apply.
type check struct {
	name string
	look func(ctx context.Context, k *known) []Finding
}

// checks are in the order in which somebody looks for a fault.
var checks = []check{
	{"system", checkSystem},
	{"driver library", checkCUDA},
	{"this program", checkProgram},
	{"management library", checkNVML},
	{"driver version", checkVersion},
	{"CUDA", checkCUDAVersion},
	{"device nodes", checkNodes},
	{"driver model", checkModel},
	{"WSL2", checkWSL},
	{"container", checkContainer},
	{"MPS", checkMPS},
	{"sysmem fallback", checkFallback},
	{"host memory", checkHost},
	{"locked memory", checkMemlock},
	{"NUMA", checkNUMA},
	{"PCIe link", checkLink},
	{"video memory", checkVideoMemory},
	{"other processes", checkOthers},
	{"shared cap", checkQuota},
	{"NVDEC", videoLibrary("NVDEC", "libnvcuvid.so.1", "nvcuvid.dll")},
	{"NVENC", videoLibrary("NVENC", "libnvidia-encode.so.1", "nvEncodeAPI64.dll")},
	{"FFmpeg", checkFFmpeg},
	{"encoders", checkEncoders},
}

func ok(name, format string, args ...any) []Finding {
	return []Finding{{Name: name, Text: fmt.Sprintf(format, args...)}}
}

func warn(name, advice, format string, args ...any) []Finding {
	return []Finding{{name, Warning, fmt.Sprintf(format, args...), advice}}
}

func problem(name, advice, format string, args ...any) []Finding {
	return []Finding{{name, Problem, fmt.Sprintf(format, args...), advice}}
}

// wddm are the versions of WDDM by the first build of Windows that has them.
var wddm = []struct {
	build   int
	version string
}{{26100, "3.2"}, {22621, "3.1"}, {22000, "3.0"}, {19041, "2.7"}, {18362, "2.6"}, {17763, "2.5"}, {17134, "2.4"}, {16299, "2.3"}, {15063, "2.2"}, {14393, "2.1"}, {10240, "2.0"}}

func checkSystem(_ context.Context, k *known) []Finding {
	if k.OS != "windows" || k.Build == 0 {
		return ok("system", "%s", k.Release)
	}
	for _, w := range wddm {
		if k.Build < w.build {
			continue
		}
		if k.Build < 19041 {
			return warn("system", "update Windows: budgets of video memory changed since", "Windows build %d, WDDM %s", k.Build, w.version)
		}
		return ok("system", "Windows build %d, WDDM %s or newer", k.Build, w.version)
	}
	return problem("system", "update Windows to version 10 or newer", "Windows build %d, older than WDDM 2.0, which brought budgets", k.Build)
}

func checkCUDA(_ context.Context, k *known) []Finding {
	const name = "driver library"
	switch {
	case k.cuda == nil && k.devices > 0:
		return ok(name, "it opens and shows %s", counted(k.devices, "device"))
	case k.cuda == nil:
		return noDevice(name, k)
	case !k.hardware() && !k.wsl() && errors.Is(k.cuda, fs.ErrNotExist):
		return ok(name, "%v: no NVIDIA card is seen here either, the CPU device does the work", k.cuda)
	case !k.hardware() && !k.wsl():
		return warn(name, "install NVIDIA's driver again, or look what else LD_LIBRARY_PATH and the like lead to", "%v; no NVIDIA card is seen here, the CPU device does the work", k.cuda)
	case k.container() != "":
		return problem(name, "start the container with --gpus all (NVIDIA's container toolkit)", "%v", k.cuda)
	}
	return problem(name, "install NVIDIA's driver, or load its kernel module (modprobe nvidia); then nvidia-smi should answer", "%v", k.cuda)
}

// noDevice is a driver that opens and shows nothing: it was told so, or has no card.
func noDevice(name string, k *known) []Finding {
	const shows = "it opens and shows no device"
	if k.Env != nil {
		if list, set := k.Env("CUDA_VISIBLE_DEVICES"); set {
			return problem(name, "CUDA_VISIBLE_DEVICES decides which cards are shown: unset it, or name one that is there", "%s (CUDA_VISIBLE_DEVICES is %q)", shows, list)
		}
	}
	if k.container() != "" {
		return problem(name, "start the container with --gpus all", "%s", shows)
	}
	return problem(name, "nvidia-smi -L should list the card; dmesg tells why it does not", "%s", shows)
}

// checkProgram tells of a program that was built without CUDA, where there is a card to miss.
func checkProgram(_ context.Context, k *known) []Finding {
	if k.Lacks == nil || !k.hardware() {
		return nil
	}
	return problem("this program", "build pinring with make build, and pinring-probe with CGO_ENABLED=0", "%v", k.Lacks)
}

func checkNVML(_ context.Context, k *known) []Finding {
	const name = "management library"
	switch {
	case k.nvml == nil:
		return ok(name, "it opens and shows %s", counted(len(k.driver.Cards), "card"))
	case !k.hardware():
		return ok(name, "%v", k.nvml)
	case strings.Contains(k.nvml.Error(), "mismatch"):
		return problem(name, "restart the machine: the driver was updated while its kernel module ran", "%v", k.nvml)
	}
	return warn(name, "without it the card is only seen through a context of one's own; it comes with the driver", "%v", k.nvml)
}

// testedSince is the driver since which pinned memory is said to be treated better.
const testedSince = 550

func checkVersion(_ context.Context, k *known) []Finding {
	const name = "driver version"
	version := ""
	if k.driver != nil {
		version = k.driver.Version
	}
	module := moduleVersion(k.text("proc/driver/nvidia/version"))
	if version == "" {
		version = module
	}
	switch {
	case version == "":
		return nil
	case module != "" && module != version:
		return problem(name, "restart the machine, so that both are of one version", "the kernel module is %s, the libraries are %s", module, version)
	case major(version) < testedSince:
		return warn(name, fmt.Sprintf("update to %d or newer, which is said to treat pinned memory better, and compare with probe --baseline", testedSince), "%s", version)
	}
	return ok(name, "%s", version)
}

// moduleVersion finds the version in the text of the kernel module.
func moduleVersion(text string) string {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "NVRM version:") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			if major(word) >= 100 && strings.Contains(word, ".") {
				return word
			}
		}
	}
	return ""
}

func checkCUDAVersion(_ context.Context, k *known) []Finding {
	if k.driver == nil || k.driver.CUDA == 0 {
		return nil
	}
	return ok("CUDA", "the driver supports up to %d.%d; the kernels are compiled by it, no toolkit is needed", k.driver.CUDA/1000, k.driver.CUDA%1000/10)
}

func checkNodes(_ context.Context, k *known) []Finding {
	const name = "device nodes"
	switch {
	case k.OS != "linux" || k.wsl() || len(k.pci) == 0:
		return nil
	case k.exists("dev/nvidiactl"):
		return ok(name, "/dev/nvidiactl is there")
	case k.container() != "":
		return problem(name, "start the container with --gpus all (NVIDIA's container toolkit)", "a card is at %s, but /dev/nvidiactl is not in this container", k.pci[0])
	}
	return problem(name, "load the kernel module: modprobe nvidia; nvidia-modprobe -c 0", "a card is at %s, but there is no /dev/nvidiactl", k.pci[0])
}

func checkModel(_ context.Context, k *known) (out []Finding) {
	for _, c := range k.cards() {
		m := c.Model
		if k.wsl() {
			m = k.model()
		}
		if m.Budgeted() {
			out = append(out, warn("driver model", "keep pinned memory small, and see what it costs here: probe", "%s: %s, the system gives each program a budget of video memory", c.Name, m)...)
			continue
		}
		out = append(out, ok("driver model", "%s: %s", c.Name, m)...)
	}
	return out
}
