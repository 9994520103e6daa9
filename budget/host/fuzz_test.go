package host

import (
	"testing"
)

// Whatever the files contain, there is an answer or an error, and an answer makes sense.
func FuzzField(f *testing.F) {
	for _, s := range []string{meminfo8G, "MemTotal:", "MemTotal: 1", "MemTotal 9223372036854775808 kB", "\n\nMemTotal:\t 12 kB", "MemTotalX: 3\nMemTotal: 4"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := field(b, "MemTotal"); err == nil && n < 0 {
			t.Errorf("%q is %d", b, n)
		}
	})
}

func FuzzLimit(f *testing.F) {
	for _, s := range []string{"max\n", "0\n", "123", "9223372036854771712\n", "-1", "1 2", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, limited, err := limit(b)
		if limited && (err != nil || n < 0 || n >= unlimited) {
			t.Errorf("%q is %d, %v, %v", b, n, limited, err)
		}
	})
}

func FuzzMemlock(f *testing.F) {
	for _, s := range []string{limits, "Max locked memory unlimited unlimited bytes\n", "Max locked memory", "Max locked memory 99999999999999999999 1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, limited, err := memlock(b); limited && (err != nil || n < 0) {
			t.Errorf("%q is %d, %v, %v", b, n, limited, err)
		}
	})
}

// A whole system from fuzzed files: no path leads to a panic, or out of the tree.
func FuzzSystem(f *testing.F) {
	f.Add("0::/a/b\n", mountsV2, "1000\n")
	f.Add("4:memory:/p\n0::/\n", mountsV1, "9223372036854771712\n")
	f.Add("0::/../..\n", `30 23 0:26 /\040x /sys/fs/cgr\157up rw - cgroup2 c rw`+"\n", "max")
	f.Add("4:cpu,memory:/p", "x - cgroup", "")
	f.Fuzz(func(t *testing.T, groups, mounts, max string) {
		fsys := tree(base(map[string]string{"proc/self/cgroup": groups, "proc/self/mountinfo": mounts,
			"sys/fs/cgroup/memory.max": max, "sys/fs/cgroup/memory.current": "10\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": max, "sys/fs/cgroup/memory/memory.usage_in_bytes": "10\n"}))
		m, err := NewFS(fsys, Options{})
		if err != nil {
			return
		}
		defer m.Close()
		got, err := m.Read(nil)
		for i := range got {
			if c := got[i].Check(); err == nil && c != nil {
				t.Error(c)
			}
		}
	})
}
