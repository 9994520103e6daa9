package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A real memory limit below what the ring wishes for: the run ends well, with less memory in slots
// and a line that says why, and is not killed.
func TestMemoryLimitOfAControlGroupShrinksTheRing(t *testing.T) {
	group := limitedGroup(t, 120<<20)
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	input := filepath.Join(t.TempDir(), "in.mp4")
	if out, err := exec.Command(ffmpeg, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30:d=1", "-c:v", "libx264",
		"-preset", "ultrafast", "-pix_fmt", "yuv420p", input).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The shell moves itself into the group, then becomes the program, which knows itself by its name.
	link := filepath.Join(t.TempDir(), "pinring")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", `echo $$ > "$0/cgroup.procs" && exec "$@"`, group,
		link, "run", input, "--device", "cpu", "--decoder-threads", "8", "-f", "scale=640:360")
	cmd.Env = append(os.Environ(), "PINRING_CONFIG=/dev/null")
	out, err := cmd.CombinedOutput()
	text := string(out)
	if err != nil || !strings.Contains(text, "30 decoded, 30 delivered") {
		t.Errorf("the run under a limit: %v", err)
	}
	// How many slots are left depends on the memory of the program itself, so on how it was built.
	some, none := strings.Contains(text, "slots of 3141632 bytes that it wants: the cap"), strings.Contains(text, "slots of 3141632 bytes, more than the cap")
	if !strings.Contains(text, "control group's memory limit leaves") || some == none {
		t.Error("no line says that the ring was shrunk, and why")
	}
	if t.Failed() {
		t.Log(text)
	}
}

// limitedGroup makes a memory control group, version 2 or 1, or skips saying why not.
func limitedGroup(t *testing.T, limit int) string {
	t.Helper()
	var why []string
	for parent, file := range map[string]string{"/sys/fs/cgroup": "memory.max", "/sys/fs/cgroup/memory": "memory.limit_in_bytes"} {
		dir := filepath.Join(parent, fmt.Sprintf("pinring-test-%d", os.Getpid()))
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			t.Cleanup(func() { os.Remove(dir) })
			err = overwrite(filepath.Join(dir, file), fmt.Sprint(limit))
		}
		if err == nil {
			return dir
		}
		why = append(why, err.Error())
	}
	t.Skip("no memory control group can be made here: " + strings.Join(why, "; "))
	return ""
}

// overwrite writes to a file that is there: in a control group it is, in any other folder it is not.
func overwrite(file, text string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
