package host

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pinring/pinring/budget"
)

// tree makes a file system from path and content.
func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, s := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(s)}
	}
	return fsys
}

const (
	meminfo8G = "MemTotal:        8000000 kB\nMemFree:          100000 kB\nMemAvailable:    6000000 kB\n"
	limits    = "Limit                     Soft Limit           Hard Limit           Units     \n" +
		"Max locked memory         8388608              16777216             bytes     \n"
	mountsV2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
	mountsV1 = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
)

// base is a system without limits; more is laid over it.
func base(more map[string]string) map[string]string {
	files := map[string]string{
		"proc/meminfo": meminfo8G, "proc/self/limits": limits,
		"proc/self/status": "Name:\tx\nVmLck:\t    1024 kB\nVmPin:\t 0 kB\n",
		"proc/self/cgroup": "0::/\n", "proc/self/mountinfo": mountsV2,
	}
	for k, v := range more {
		files[k] = v
	}
	return files
}

func TestControlGroups(t *testing.T) {
	const cg = "sys/fs/cgroup/"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64 // bytes left, 0 when no group limits
	}{
		{"none", nil, 0},
		{"no control groups in the kernel", map[string]string{"proc/self/cgroup": ""}, 0},
		{"v2 max", map[string]string{"proc/self/cgroup": "0::/a\n", cg + "a/memory.max": "max\n", cg + "a/memory.current": "5\n"}, 0},
		{"v2 limited", map[string]string{"proc/self/cgroup": "0::/a\n",
			cg + "a/memory.max": "1000000\n", cg + "a/memory.current": "400000\n", cg + "a/memory.stat": "anon 1\ninactive_file 100000\n"}, 700000},
		{"v2 without stat", map[string]string{"proc/self/cgroup": "0::/a\n",
			cg + "a/memory.max": "1000000\n", cg + "a/memory.current": "400000\n"}, 600000},
		{"v2 nested: the parent is tighter", map[string]string{"proc/self/cgroup": "0::/a/b/c\n",
			cg + "a/memory.max": "1000000\n", cg + "a/memory.current": "900000\n", cg + "a/memory.stat": "inactive_file 0\n",
			cg + "a/b/memory.max": "max\n", cg + "a/b/memory.current": "800000\n",
			cg + "a/b/c/memory.max": "900000\n", cg + "a/b/c/memory.current": "10\n", cg + "a/b/c/memory.stat": "inactive_file 0\n"}, 100000},
		{"v1 limited", map[string]string{"proc/self/cgroup": "4:memory:/p\n0::/\n", "proc/self/mountinfo": mountsV1,
			cg + "memory/p/memory.limit_in_bytes": "500000\n", cg + "memory/p/memory.usage_in_bytes": "100000\n",
			cg + "memory/p/memory.stat":         "total_inactive_file 50000\n",
			cg + "memory/memory.limit_in_bytes": "9223372036854771712\n", cg + "memory/memory.usage_in_bytes": "1\n"}, 450000},
		{"v1 unlimited", map[string]string{"proc/self/cgroup": "4:memory:/\n", "proc/self/mountinfo": mountsV1,
			cg + "memory/memory.limit_in_bytes": "9223372036854771712\n", cg + "memory/memory.usage_in_bytes": "1\n"}, 0},
		{"a container sees its group as the root", map[string]string{"proc/self/cgroup": "0::/docker/abc\n",
			cg + "memory.max": "1000000\n", cg + "memory.current": "1\n"}, 999999},
		{"the mount's root is the container", map[string]string{"proc/self/cgroup": "0::/docker/abc/in\n",
			"proc/self/mountinfo": strings.Replace(mountsV2, " / /sys", " /docker/abc /sys", 1),
			cg + "in/memory.max":  "1000000\n", cg + "in/memory.current": "2\n"}, 999998},
		{"over the limit", map[string]string{"proc/self/cgroup": "0::/a\n",
			cg + "a/memory.max": "1000\n", cg + "a/memory.current": "1500\n"}, -500},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := NewFS(tree(base(c.files)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			got, err := m.Read(nil)
			if err != nil {
				t.Fatal(err)
			}
			if got[0].Usage != 2000000*1024 || got[0].Budget != 8000000*1024 {
				t.Errorf("MemAvailable: %v", got[0])
			}
			if c.want == 0 {
				if len(got) != 1 {
					t.Errorf("a control group limits: %v", got[1:])
				}
				return
			}
			if len(got) != 2 || got[1].Headroom != c.want {
				t.Fatalf("got %v, want a control group that leaves %d", got, c.want)
			}
			l, err := m.Limits()
			if err != nil || l.CgroupLeft != max(c.want, 1) || l.Available != 6000000*1024 || l.Memlock != 8388608 {
				t.Errorf("limits: %+v, %v", l, err)
			}
		})
	}
}

func TestMemlockLimitsOnlyWhereItBinds(t *testing.T) {
	fsys := tree(base(nil))
	for _, binds := range []bool{false, true} {
		m, err := NewFS(fsys, Options{MemlockBinds: binds})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		got, err := m.Read(nil)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range got {
			if r.Source == "RLIMIT_MEMLOCK" {
				found = true
				if r.Headroom != 8388608-1024*1024 {
					t.Errorf("headroom %d", r.Headroom)
				}
			}
		}
		if found != binds {
			t.Errorf("binds %v, but found %v", binds, found)
		}
		l, err := m.Limits()
		if err != nil {
			t.Fatal(err)
		}
		bytes, why := budget.Cap(budget.ModelLinux, l, budget.Card{})
		if limited := bytes == 8388608; limited != binds {
			t.Errorf("binds %v, but the cap is %d (%s)", binds, bytes, why)
		}
	}
}

func TestAGroupThatShrinksIsSeen(t *testing.T) {
	files := base(map[string]string{"proc/self/cgroup": "0::/a\n",
		"sys/fs/cgroup/a/memory.max": "max\n", "sys/fs/cgroup/a/memory.current": "100\n"})
	fsys := tree(files)
	m, err := NewFS(fsys, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if got, err := m.Read(nil); err != nil || len(got) != 1 {
		t.Fatalf("before: %v, %v", got, err)
	}
	fsys["sys/fs/cgroup/a/memory.max"] = &fstest.MapFile{Data: []byte("1000\n")}
	m.groups[0].close() // a map's file is a copy; the kernel's is not
	if got, err := m.Read(nil); err != nil || len(got) != 2 || got[1].Headroom != 900 {
		t.Fatalf("after: %v, %v", got, err)
	}
	delete(fsys, "sys/fs/cgroup/a/memory.max")
	m.groups[0].close()
	if _, err := m.Read(nil); err == nil {
		t.Fatal("a group that is gone is not reported")
	}
}

func TestBrokenFilesAreErrors(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"no MemAvailable":     {"proc/meminfo": "MemTotal: 1 kB\n"},
		"MemTotal is no size": {"proc/meminfo": "MemTotal: x kB\nMemAvailable: 1 kB\n"},
		"MemTotal overflows":  {"proc/meminfo": "MemTotal: 9223372036854775807 kB\nMemAvailable: 1 kB\n"},
	} {
		if m, err := NewFS(tree(base(files)), Options{}); err == nil {
			m.Close()
			t.Errorf("%s: no error", name)
		}
	}
	m, err := NewFS(tree(base(map[string]string{"proc/self/cgroup": "0::/a\n",
		"sys/fs/cgroup/a/memory.max": "many\n", "sys/fs/cgroup/a/memory.current": "1\n"})), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Read(nil); err == nil || !strings.Contains(err.Error(), "memory.max") {
		t.Errorf("error %v does not name the file", err)
	}
}

// The real /proc: what we read must agree with what a parser of another shape reads there.
func TestThisMachine(t *testing.T) {
	m, err := New(Options{})
	if err != nil {
		t.Skip("no host meter here:", err)
	}
	defer m.Close()
	got, err := m.Read(nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Skip("no /proc/meminfo:", err)
	}
	fields := map[string]int64{}
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		n, _ := strconv.ParseInt(f[1], 10, 64)
		fields[strings.TrimSuffix(f[0], ":")] = n * 1024
	}
	slack := int64(0)
	if runtime.GOOS != "linux" {
		slack = 1 << 20 // wine rounds in its own way
	}
	if d := got[0].Budget - fields["MemTotal"]; d < -slack || d > slack {
		t.Errorf("total %d, /proc says %d", got[0].Budget, fields["MemTotal"])
	}
	// What is available changes all the time, but not by half.
	if a := got[0].Headroom; a < fields["MemAvailable"]/2 || a > fields["MemAvailable"]*2 {
		t.Errorf("available %d, /proc says %d", a, fields["MemAvailable"])
	}
	for _, r := range got {
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
	buf := got[:0]
	if n := testing.AllocsPerRun(100, func() { buf, _ = m.Read(buf[:0]) }); n > 0 {
		t.Errorf("a reading makes %v allocations", n)
	}
}

func BenchmarkRead(b *testing.B) {
	m, err := New(Options{})
	if err != nil {
		b.Skip(err)
	}
	defer m.Close()
	var buf []budget.Reading
	b.ReportAllocs()
	for b.Loop() {
		if buf, err = m.Read(buf[:0]); err != nil {
			b.Fatal(err)
		}
	}
}
