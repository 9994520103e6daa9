package purse

import (
	"fmt"
	"runtime"
	"time"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/cmd/internal/meters"
	"github.com/pinring/pinring/gpu"
)

// lateness is when the latecomers are opened. NVML and the making of a CUDA context hold each other up
// (docs/performance.md), and a run that is over before then has no use for a second opinion.
const lateness = 250 * time.Millisecond

// latecomer is whether lateness pays: not on Windows, where budgets are what it is all about.
const latecomer = runtime.GOOS != "windows"

// latecomers are meters that take longer to open than frames should wait.
type latecomers struct {
	timer *time.Timer
	done  chan *meters.Set
}

// join gives them to the panel in a while.
func join(panel *budget.Panel, info gpu.Info, say func(string)) *latecomers {
	l := &latecomers{done: make(chan *meters.Set, 1)}
	open := func() {
		s := meters.OpenOthers(info)
		attach(panel, s, say)
		l.done <- s
	}
	if latecomer {
		l.timer = time.AfterFunc(lateness, open)
	} else {
		open()
	}
	return l
}

// close is called when nobody reads the panel any more.
func (l *latecomers) close() error {
	if l == nil || l.timer != nil && l.timer.Stop() {
		return nil
	}
	return (<-l.done).Close()
}

// attach gives meters to the panel, and says which are missing.
func attach(panel *budget.Panel, s *meters.Set, say func(string)) {
	for _, m := range s.Missing {
		say(fmt.Sprintf("the guard goes on without %s: %v", m.Name, m.Err))
	}
	s.Attach(panel, meters.Interval)
}
