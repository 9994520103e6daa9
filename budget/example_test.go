package budget_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/pinring/pinring/budget"
)

// The guard alone, inside somebody else's frame loop: all it needs is a function that tells usage and
// budget.
func ExampleGuard() {
	const frameBytes = 6220800 // what a frame will pin

	panel := budget.NewPanel()
	panel.Attach(budget.MeterFunc("cuMemGetInfo", budget.DeviceLocal, "nvidia-smi Memory-Usage",
		func() (usage, total int64, err error) {
			return 5200 * budget.MB, 8 * budget.GB, nil // ask the driver here
		}), 0)

	cfg := budget.DefaultConfig()
	cfg.Policy = budget.Fail
	guard, err := budget.NewGuard(cfg, panel, budget.NewWall(), slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for n := range int64(100) {
		if err := guard.Admit(ctx, n, frameBytes); err != nil {
			fmt.Println(err) // budget.ErrExhausted, or ctx is done
			return
		}
		// Allocate the frame's pinned memory here …
		guard.Allocated(n)
		// … work, give it back, and say so. That may be on another goroutine.
		guard.Done(n)
	}
	s := guard.Summary()
	fmt.Println(s.Frames, "frames, limited by", s.Limiting)
	// Output:
	// 100 frames, limited by device memory (LOCAL): 5.20 GB of 8.00 GB in use, 2.80 GB left (cuMemGetInfo; compare nvidia-smi Memory-Usage)
}

// How much to pin on this machine, before anything is allocated.
func ExampleCap() {
	host := budget.HostLimits{Available: 20 * budget.GiB} // budget/host measures it
	bytes, reason := budget.Cap(budget.ModelWDDM, host, budget.Card{TotalBytes: 8 * budget.GiB})
	fmt.Println(bytes>>20, "MiB:", reason)
	bytes, reason = budget.Cap(budget.ModelLinux, budget.HostLimits{CgroupLeft: budget.GiB}, budget.Card{})
	fmt.Println(bytes>>20, "MiB:", reason)
	// Output:
	// 256 MiB: under WDDM pinned memory can count against the video memory budget
	// 512 MiB: half of what the control group's memory limit leaves, 536.9 MB
}
