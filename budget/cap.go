package budget

import "fmt"

// DriverModel says who manages the device's memory.
type DriverModel uint8

// The driver models.
const (
	ModelUnknown DriverModel = iota
	ModelLinux               // the driver itself
	ModelWDDM                // Windows, as a display adapter: the operating system budgets
	ModelWSL2                // Linux inside Windows, with WDDM below
	ModelTCC                 // Windows, compute only
	ModelMCDM                // Windows, compute only, the successor of TCC
)

var modelNames = [...]string{"unknown", "Linux", "WDDM", "WSL2", "TCC", "MCDM"}

func (m DriverModel) String() string {
	if int(m) < len(modelNames) {
		return modelNames[m]
	}
	return "unknown"
}

// Budgeted reports whether the operating system puts each process on a video memory budget.
func (m DriverModel) Budgeted() bool { return m == ModelWDDM || m == ModelWSL2 }

// HostLimits are the bytes that the host lets a program have. 0 or less means "not known, or no
// limit"; a limit that leaves nothing is given as 1. Package budget/host measures them on Linux.
type HostLimits struct {
	Available  int64 // MemAvailable
	CgroupLeft int64 // what is left below the nearest memory limit of a control group
	// Memlock is RLIMIT_MEMLOCK. It counts for memory that the process locks itself (mlock, RDMA).
	// NVIDIA's driver pins pages on its own account, so it limits only when MemlockBinds.
	Memlock      int64
	MemlockBinds bool
}

// Card is what the cap needs to know of the device. TotalBytes 0 means "not known".
type Card struct{ TotalBytes int64 }

// The caps before allocation. A display driver that budgets gets little: on an 8 GB card 512 MB of
// pinned memory has been reported as the most that leaves a program usable.
const (
	CapBudgeted = 256 * MiB
	CapPlain    = 2 * GiB
	warnAbove   = 512 * MiB
	smallCard   = 8*GiB + 64*MiB // cards sold as 8 GB, whichever GB was meant
)

// Cap is how many bytes of page-locked memory a program should allow itself in all, and why. The
// driver model proposes; at most half of what the host has available, or of what a control group
// leaves, may be locked: the rest of the program, and of the host, needs pages that can move.
func Cap(m DriverModel, host HostLimits, card Card) (bytes int64, reason string) {
	bytes, reason = modelCap(m)
	if card.TotalBytes > 0 && m.Budgeted() && card.TotalBytes/8 < bytes {
		bytes = max(card.TotalBytes/8, 1)
		reason = fmt.Sprintf("an eighth of the card's %s", FormatBytes(card.TotalBytes))
	}
	for _, l := range []struct {
		bytes int64
		why   string
	}{
		{half(host.Available), "half of the host's available memory"},
		{half(host.CgroupLeft), "half of what the control group's memory limit leaves"},
		{bindingMemlock(host), "the limit of locked memory (ulimit -l)"},
	} {
		if l.bytes > 0 && l.bytes < bytes {
			bytes, reason = l.bytes, fmt.Sprintf("%s, %s", l.why, FormatBytes(l.bytes))
		}
	}
	return bytes, reason
}

// half keeps "nothing left" (1) apart from "not known" (0).
func half(n int64) int64 { return n - n/2 }

func modelCap(m DriverModel) (int64, string) {
	if m.Budgeted() {
		return CapBudgeted, fmt.Sprintf("under %s pinned memory can count against the video memory budget", m)
	}
	if m == ModelUnknown {
		return CapBudgeted, "the driver model is not known, so the smaller cap is used"
	}
	return CapPlain, fmt.Sprintf("under %s pinned memory is host memory only", m)
}

func bindingMemlock(h HostLimits) int64 {
	if !h.MemlockBinds {
		return 0
	}
	return h.Memlock
}

// CapWarning is what to tell somebody who asks for more pinned memory than is wise on a card, empty
// when all is well.
func CapWarning(m DriverModel, card Card, bytes int64) string {
	if !m.Budgeted() || bytes <= warnAbove || card.TotalBytes <= 0 || card.TotalBytes > smallCard {
		return ""
	}
	return fmt.Sprintf("%s of pinned memory on a card of %s under %s: above %s it has been reported to push device allocations out; measure first",
		FormatBytes(bytes), FormatBytes(card.TotalBytes), m, FormatBytes(warnAbove))
}
