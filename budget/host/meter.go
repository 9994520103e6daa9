package host

import (
	"fmt"
	"io/fs"
	"sync"

	"github.com/pinring/pinring/budget"
)

// Options of a meter. The zero value is right for a CUDA device.
type Options struct {
	// MemlockBinds says that pinned memory of this device counts against RLIMIT_MEMLOCK.
	MemlockBinds bool
}

// Meter measures host RAM through the files of a Linux system. Safe for concurrent use.
type Meter struct {
	opts Options

	mu      sync.Mutex
	meminfo file
	status  file
	limits  file
	groups  []*group
	buf     []byte
}

var _ budget.Meter = (*Meter)(nil)

// NewFS makes a meter of the Linux system whose root is fsys: the real one ([New]), or a copy.
func NewFS(fsys fs.FS, o Options) (*Meter, error) {
	m := &Meter{opts: o, buf: make([]byte, 16<<10),
		meminfo: file{fsys: fsys, name: "proc/meminfo"},
		status:  file{fsys: fsys, name: "proc/self/status"},
		limits:  file{fsys: fsys, name: "proc/self/limits"}}
	if _, _, err := m.available(); err != nil {
		m.Close()
		return nil, fmt.Errorf("host memory: %w", err)
	}
	groups, err := findGroups(fsys)
	if err != nil {
		m.Close()
		return nil, fmt.Errorf("host memory: control groups: %w", err)
	}
	m.groups = groups
	return m, nil
}

// Close closes the files. The meter must not be used afterwards.
func (m *Meter) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range []*file{&m.meminfo, &m.status, &m.limits} {
		f.close()
	}
	for _, g := range m.groups {
		g.close()
	}
}

// Name is "host memory".
func (m *Meter) Name() string { return "host memory" }

// Where a person sees the same numbers.
const (
	twinMeminfo = "free -b, total minus available"
	twinGroup   = "the control group's memory.current without inactive_file"
	twinMemlock = "ulimit -l and VmLck in /proc/self/status"
)

// Read appends what MemAvailable leaves, and what each limited control group leaves.
func (m *Meter) Read(buf []budget.Reading) ([]budget.Reading, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	total, available, err := m.available()
	if err != nil {
		return buf, err
	}
	buf = append(buf, budget.MakeReading(budget.HostRAM, total-available, total, "MemAvailable", twinMeminfo))
	tightest, limited, err := m.tightest()
	if err != nil {
		return buf, err
	}
	if limited {
		buf = append(buf, budget.MakeReading(budget.HostRAM, tightest.usage, tightest.limit, "control group", twinGroup))
	}
	if !m.opts.MemlockBinds {
		return buf, nil
	}
	return m.readMemlock(buf)
}

// available reads /proc/meminfo.
func (m *Meter) available() (total, available int64, err error) {
	b, err := m.meminfo.read(m.buf)
	if err != nil {
		return 0, 0, err
	}
	if total, err = field(b, "MemTotal"); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", m.meminfo.name, err)
	}
	if available, err = field(b, "MemAvailable"); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", m.meminfo.name, err)
	}
	return total, min(available, total), nil
}

// tightest is the control group that leaves least; limited is false when none limits.
func (m *Meter) tightest() (worst room, limited bool, err error) {
	for _, g := range m.groups {
		r, ok, err := g.read(m.buf)
		if err != nil {
			return worst, false, fmt.Errorf("control group %s: %w", g.name, err)
		}
		// A limit of 0 is not one that a running process can have.
		if ok && r.limit > 0 && (!limited || r.limit-r.usage < worst.limit-worst.usage) {
			worst, limited = r, true
		}
	}
	return worst, limited, nil
}

// readMemlock appends the limit of locked memory, when there is one.
func (m *Meter) readMemlock(buf []budget.Reading) ([]budget.Reading, error) {
	n, limited, err := m.memlock()
	if err != nil || !limited {
		return buf, err
	}
	b, err := m.status.read(m.buf)
	if err != nil {
		return buf, err
	}
	locked, err := field(b, "VmLck")
	if err != nil {
		return buf, fmt.Errorf("%s: %w", m.status.name, err)
	}
	return append(buf, budget.MakeReading(budget.HostRAM, locked, max(n, 1), "RLIMIT_MEMLOCK", twinMemlock)), nil
}

func (m *Meter) memlock() (int64, bool, error) {
	b, err := m.limits.read(m.buf)
	if err != nil {
		return 0, false, err
	}
	n, limited, err := memlock(b)
	if err != nil {
		return 0, false, fmt.Errorf("%s: %w", m.limits.name, err)
	}
	return n, limited, nil
}

// Limits are the host's limits for [budget.Cap], as they are now.
func (m *Meter) Limits() (budget.HostLimits, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := budget.HostLimits{MemlockBinds: m.opts.MemlockBinds}
	_, available, err := m.available()
	if err != nil {
		return l, fmt.Errorf("host memory: %w", err)
	}
	l.Available = max(available, 1)
	r, limited, err := m.tightest()
	if err != nil {
		return l, fmt.Errorf("host memory: %w", err)
	}
	if limited {
		l.CgroupLeft = max(r.limit-r.usage, 1)
	}
	n, limited, err := m.memlock()
	if err != nil {
		return l, fmt.Errorf("host memory: %w", err)
	}
	if limited {
		l.Memlock = max(n, 1)
	}
	return l, nil
}
