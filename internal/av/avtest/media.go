package avtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Media is the folder of real files, or skips the test.
func Media(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("PINRING_MEDIA")
	if dir == "" {
		t.Skip("PINRING_MEDIA is not set: it names the folder of real media files to test with")
	}
	return dir
}

// Files lists the media files that have a reference, sorted by name.
func Files(t testing.TB) []string {
	t.Helper()
	refs, err := filepath.Glob(filepath.Join(Media(t), "*.framemd5"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range refs {
		if f := strings.TrimSuffix(r, ".framemd5"); !strings.HasSuffix(f, ".noautoscale") {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no *.framemd5 in %s", Media(t))
	}
	return out
}

// Reference is what FFmpeg's program said of the file, without the lines about itself.
func Reference(t testing.TB, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file + ".noautoscale.framemd5")
	if err != nil {
		b, err = os.ReadFile(file + ".framemd5")
	}
	if err != nil {
		t.Fatal(err)
	}
	return Comparable(string(b))
}

// Comparable drops the lines of a framemd5 that differ between versions of FFmpeg.
func Comparable(s string) []string {
	var out []string
	for _, l := range strings.Split(strings.TrimSpace(s), "\n") {
		if l != "" && !strings.HasPrefix(l, "#software") {
			out = append(out, l)
		}
	}
	return out
}

// FFmpeg runs ffmpeg with the arguments and returns its standard output, or skips the test when the
// program is missing.
func FFmpeg(t testing.TB, args ...string) string {
	return command(t, "ffmpeg", append([]string{"-v", "error", "-nostdin"}, args...))
}

// FFprobe is FFmpeg for ffprobe.
func FFprobe(t testing.TB, args ...string) string {
	return command(t, "ffprobe", append([]string{"-v", "error"}, args...))
}

func command(t testing.TB, name string, args []string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: the test compares with it", name)
	}
	var talk strings.Builder
	c := exec.Command(path, args...)
	c.Stderr = &talk
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, talk.String())
	}
	return string(out)
}
