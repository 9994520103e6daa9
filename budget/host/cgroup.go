package host

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// group is one control group with a memory limit.
type group struct {
	name         string // for messages: "/user.slice"
	max, current file
	stat         file
	inactive     string // the field of stat: reclaimable cache
}

// room is what a limit leaves.
type room struct {
	usage, limit int64
}

// read asks the group; limited is false when it has no limit at present.
func (g *group) read(buf []byte) (r room, limited bool, err error) {
	b, err := g.max.read(buf)
	if err != nil {
		return r, false, err
	}
	if r.limit, limited, err = limit(b); err != nil {
		return r, false, fmt.Errorf("%s: %w", g.max.name, err)
	}
	if !limited {
		return r, false, nil
	}
	if b, err = g.current.read(buf); err != nil {
		return r, false, err
	}
	if r.usage, _, err = number(b); err != nil {
		return r, false, fmt.Errorf("%s: %w", g.current.name, err)
	}
	// The cache is a refinement: without it all of the usage counts.
	if b, err := g.stat.read(buf); err == nil {
		if cache, err := field(b, g.inactive); err == nil {
			r.usage = max(0, r.usage-cache)
		}
	}
	return r, true, nil
}

func (g *group) close() {
	g.max.close()
	g.current.close()
	g.stat.close()
}

// names of a version's files.
type names struct{ max, current, inactive string }

var (
	namesV2 = names{"memory.max", "memory.current", "inactive_file"}
	namesV1 = names{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
)

// findGroups returns the groups that limit this process's memory, the innermost first: those from
// its own up to the top of what is mounted. Groups without the files (the root of version 2, or a
// controller that is off) are left out.
func findGroups(fsys fs.FS) ([]*group, error) {
	self, err := fs.ReadFile(fsys, "proc/self/cgroup")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a kernel without control groups
	}
	if err != nil {
		return nil, err
	}
	mounts, err := fs.ReadFile(fsys, "proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	g := parseGroups(self)
	v2, v1 := parseMounts(mounts)
	var all []*group
	all = append(all, climb(fsys, v2, g.v2, namesV2)...)
	return append(all, climb(fsys, v1, g.v1, namesV1)...), nil
}

// climb goes from the group at p up to the mount's top.
func climb(fsys fs.FS, m mount, p string, n names) (all []*group) {
	if m.point == "" || p == "" {
		return nil
	}
	for p = below(fsys, m, p); ; p = path.Dir(p) {
		dir := strings.TrimPrefix(path.Join(m.point, p), "/")
		if _, err := fs.Stat(fsys, dir+"/"+n.max); err == nil {
			at := func(name string) file { return file{fsys: fsys, name: dir + "/" + name} }
			all = append(all, &group{name: p, max: at(n.max), current: at(n.current), stat: at("memory.stat"), inactive: n.inactive})
		}
		if p == "/" {
			return all
		}
	}
}

// below is the group's path under the mount. In a container the kernel may tell a path from outside
// of it, or one that leads out of the mount's root: what lies at or above the root is then what
// there is.
func below(fsys fs.FS, m mount, p string) string {
	p = path.Clean("/" + p)
	if m.root != "/" {
		if rest, ok := strings.CutPrefix(p, m.root); ok && (rest == "" || rest[0] == '/') {
			p = path.Clean("/" + rest)
		}
	}
	for p != "/" {
		if _, err := fs.Stat(fsys, strings.TrimPrefix(path.Join(m.point, p), "/")); err == nil {
			return p
		}
		p = path.Dir(p)
	}
	return p
}
