package probe

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/pinring/pinring/budget"
)

func checkWSL(_ context.Context, k *known) []Finding {
	if !k.wsl() {
		return nil
	}
	return warn("WSL2", "measure how much can be pinned: probe; more memory for WSL is set in .wslconfig", "this Linux runs inside Windows: pinned memory is limited, often to 1 GB or less")
}

// container names the sort of container that this runs in, "" for none.
func (k *known) container() string {
	switch {
	case k.exists(".dockerenv"):
		return "Docker"
	case k.exists("run/.containerenv"):
		return "Podman"
	case k.env("container") != "":
		return k.env("container")
	case k.env("KUBERNETES_SERVICE_HOST") != "":
		return "Kubernetes"
	}
	return ""
}

func checkContainer(_ context.Context, k *known) []Finding {
	const name = "container"
	c := k.container()
	if c == "" {
		return nil
	}
	if caps := k.env("NVIDIA_DRIVER_CAPABILITIES"); caps != "" && caps != "all" && !strings.Contains(caps, "video") && k.usable() {
		return warn(name, "NVIDIA_DRIVER_CAPABILITIES=compute,video,utility brings the libraries of NVDEC and NVENC in", "%s, with the driver's capabilities %s", c, caps)
	}
	return ok(name, "%s; processes are numbered otherwise outside", c)
}

func checkMPS(_ context.Context, k *known) []Finding {
	const name = "MPS"
	pipe := k.env("CUDA_MPS_PIPE_DIRECTORY")
	if pipe == "" {
		pipe = "/tmp/nvidia-mps"
	}
	if k.OS != "linux" || !k.hardware() {
		return nil
	}
	if !k.exists(strings.TrimPrefix(pipe, "/") + "/control") {
		return ok(name, "off: each process has a context of its own on the card")
	}
	return ok(name, "on (%s): processes share a context, and what one uses may be shown for all", pipe)
}

func checkFallback(_ context.Context, k *known) []Finding {
	const name = "sysmem fallback"
	switch {
	case k.OS == "windows" && k.hardware():
		return warn(name, "NVIDIA control panel, Manage 3D settings, CUDA - Sysmem Fallback Policy: Prefer No Sysmem Fallback",
			"since driver 536.40 device memory may spill into system memory instead of failing, which is slow and not said; the setting cannot be read from here")
	case k.wsl():
		return warn(name, "watch Shared GPU memory in Windows' Task Manager", "Windows' setting is said not to hold inside WSL2: device memory may spill into system memory")
	}
	return nil
}

// enough is what the cap on pinned memory wants to have twice.
const enough = 2 * budget.CapPlain

func checkHost(_ context.Context, k *known) []Finding {
	const name = "host memory"
	if k.noHost != nil {
		if k.noHost == errNotAsked {
			return nil
		}
		return warn(name, "", "it cannot be read: %v", k.noHost)
	}
	text := budget.FormatBytes(k.limits.Available) + " available"
	left := k.limits.Available
	if g := k.limits.CgroupLeft; g > 0 {
		text += fmt.Sprintf(", a control group leaves %s", budget.FormatBytes(g))
		left = min(left, g)
	}
	if left < enough && !k.model().Budgeted() {
		return warn(name, "raise the limit (memory.max, docker run --memory), or accept smaller rings", "%s: the cap on pinned memory is lowered to half of it", text)
	}
	return ok(name, "%s", text)
}

func checkMemlock(_ context.Context, k *known) []Finding {
	const name = "locked memory"
	switch n := k.limits.Memlock; {
	case k.OS != "linux" || k.noHost != nil:
		return nil
	case n == 0:
		return ok(name, "no limit (ulimit -l)")
	default:
		return ok(name, "ulimit -l is %s; NVIDIA's driver pins on its own account, so it limits others (RDMA, mlock) only", budget.FormatBytes(n))
	}
}

func checkNUMA(_ context.Context, k *known) (out []Finding) {
	nodes := k.text("sys/devices/system/node/online")
	if nodes == "" || !strings.ContainsAny(nodes, "-,") {
		return nil // one node: nothing can be far away
	}
	for _, address := range k.pci {
		node := k.text(path.Join("sys/bus/pci/devices", address, "numa_node"))
		if node == "" || node == "-1" {
			continue
		}
		out = append(out, Finding{"NUMA", OK, fmt.Sprintf("the card at %s is at node %s of %s", address, node, nodes),
			fmt.Sprintf("run near it: numactl --cpunodebind=%[1]s --membind=%[1]s; pinned memory of the far node is copied more slowly", node)})
	}
	return out
}

func checkLink(_ context.Context, k *known) (out []Finding) {
	const name = "PCIe link"
	for _, c := range k.cards() {
		if c.Width == 0 {
			continue
		}
		text := fmt.Sprintf("%s: generation %d of %d (an idle card lowers it), %d of %d lanes", c.Name, c.Generation, c.MaxGeneration, c.Width, c.MaxWidth)
		if c.Width < c.MaxWidth {
			out = append(out, warn(name, "copies are limited by it: look which slot the card is in, and what shares its lanes", "%s", text)...)
			continue
		}
		out = append(out, ok(name, "%s", text)...)
	}
	return out
}

func checkVideoMemory(_ context.Context, k *known) (out []Finding) {
	for _, c := range k.cards() {
		if c.Total <= 0 {
			continue
		}
		text := fmt.Sprintf("%s: %s of %s in use", c.Name, budget.FormatBytes(c.Used), budget.FormatBytes(c.Total))
		if c.Used > c.Total/10*9 {
			out = append(out, warn("video memory", "end what fills it (nvidia-smi), or leave the guard on", "%s", text)...)
			continue
		}
		out = append(out, ok("video memory", "%s", text)...)
	}
	return out
}

func checkOthers(_ context.Context, k *known) (out []Finding) {
	const name = "other processes"
	for _, c := range k.cards() {
		sum, untold := int64(0), !c.OthersKnown
		for _, p := range c.Others {
			sum += max(p.Bytes, 0)
			untold = untold || p.Bytes < 0
		}
		switch {
		case len(c.Others) == 0 && !c.OthersKnown:
			out = append(out, ok(name, "%s: the driver does not say who is on it", c.Name)...)
		case len(c.Others) == 0:
			out = append(out, ok(name, "%s: none", c.Name)...)
		case untold:
			out = append(out, ok(name, "%s: %s; the driver does not tell what each has", c.Name, processes(len(c.Others)))...)
		case c.Total > 0 && sum > c.Total/2:
			out = append(out, warn(name, "they add up: end some, or merge the work into one process", "%s: %s with %s", c.Name, processes(len(c.Others)), budget.FormatBytes(sum))...)
		default:
			out = append(out, ok(name, "%s: %s with %s", c.Name, processes(len(c.Others)), budget.FormatBytes(sum))...)
		}
	}
	return out
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

func checkQuota(_ context.Context, k *known) []Finding {
	const name = "shared cap"
	if k.Quota == nil {
		return nil
	}
	q, err := k.Quota()
	switch {
	case err != nil:
		return warn(name, "set PINRING_RUNTIME_DIR to a folder of your own that can be written", "processes cannot share their cap on pinned memory: %v", err)
	case q.Processes == 0:
		return ok(name, "no other process of pinring has pinned memory")
	}
	return ok(name, "%s of pinring have %s of pinned memory", processes(q.Processes), budget.FormatBytes(q.Granted))
}
