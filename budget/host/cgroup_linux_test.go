package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const childEnv = "PINRING_TEST_CGROUP_CHILD"

// A real control group with a real limit: a child of this test is put into it and reads its own
// headroom.
func TestRealControlGroup(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		reportHeadroom()
		return
	}
	const limit = 300 << 20
	dir, file := makeGroup(t, limit)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The shell moves itself into the group, then becomes the child.
	cmd := exec.Command("/bin/sh", "-c", `echo $$ > "$0/cgroup.procs" && exec "$1" -test.run='^TestRealControlGroup$' -test.v`, dir, exe)
	cmd.Env = append(os.Environ(), childEnv+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("child: %v\n%s", err, out)
	}
	var usage, budget int64
	for line := range strings.Lines(string(out)) {
		if _, err := fmt.Sscanf(line, "HEADROOM %d of %d", &usage, &budget); err == nil {
			break
		}
	}
	if budget != limit || usage <= 0 || usage >= limit {
		t.Errorf("%s: the child reads %d of %d bytes, want some of %d\n%s", file, usage, budget, limit, out)
	}
}

func reportHeadroom() {
	m, err := New(Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	got, err := m.Read(nil)
	for _, r := range got {
		if r.Source == "control group" {
			fmt.Printf("HEADROOM %d of %d\n", r.Usage, r.Budget)
		}
	}
	if err != nil {
		fmt.Println(err)
	}
}

// makeGroup makes a group below this process's own, with a limit, or skips saying why not.
func makeGroup(t *testing.T, limit int) (dir, file string) {
	t.Helper()
	fsys := os.DirFS("/")
	self, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Skip("no control groups:", err)
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Skip(err)
	}
	g := parseGroups(self)
	v2, v1 := parseMounts(mounts)
	var why []string
	for _, c := range []struct {
		m     mount
		path  string
		names names
	}{{v2, g.v2, namesV2}, {v1, g.v1, namesV1}} {
		if c.m.point == "" || c.path == "" {
			continue
		}
		dir := filepath.Join(c.m.point, below(fsys, c.m, c.path), fmt.Sprintf("pinring-test-%d", os.Getpid()))
		if err := os.Mkdir(dir, 0o755); err != nil {
			why = append(why, err.Error())
			continue
		}
		t.Cleanup(func() { os.Remove(dir) })
		file := filepath.Join(dir, c.names.max)
		// No O_CREATE: where the controller is off there is no such file, and there shall be none.
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err == nil {
			_, err = fmt.Fprint(f, limit)
			f.Close()
		}
		if err != nil {
			why = append(why, err.Error())
			continue
		}
		return dir, file
	}
	t.Skip("no control group with a memory limit can be made here: " + strings.Join(why, "; "))
	return "", ""
}
