package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// processUse is the number of open files and the resident bytes of this process.
func processUse(t *testing.T) (files, bytes int) {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc to look at")
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		t.Fatal(err)
	}
	return len(fds), pages * os.Getpagesize()
}

// 500 runs of the whole program in one process, over files of several kinds, whole and broken: files,
// memory and slots are where they were. That every slot was freed the device checks at the end of each
// run, which fails otherwise.
func TestManyRunsAreFlat(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the inputs")
	}
	dir := t.TempDir()
	t.Setenv("PINRING_CONFIG", os.DevNull)
	runs := [][]string{{"none.mp4"}}
	for name, args := range map[string]string{
		"a.mp4": "-c:v libx264 -pix_fmt yuv420p", "b.mkv": "-c:v ffv1", "c.ts": "-c:v mpeg2video", "d.avi": "-c:v mjpeg", "e.mov": "-c:v prores_ks",
	} {
		file := filepath.Join(dir, name)
		make := append([]string{"-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2"}, strings.Fields(args)...)
		if out, err := exec.Command(ffmpeg, append(make, file)...).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cut := filepath.Join(dir, "cut-"+name)
		if err := os.WriteFile(cut, whole[:len(whole)*2/3], 0o644); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, []string{file, "--on-error", "repeat"}, []string{file, "--start", "0.1", "--emulate", "card-24g", "--max-pinned", "64MiB"}, []string{cut})
	}
	once := func(i int) {
		var out, talk bytes.Buffer
		args := append([]string{"run", "--device", "cpu", "--decoder-threads", "2", "-f", "negate"}, runs[i%len(runs)]...)
		switch code := newApp(&out, &talk, rooms).main(args); code {
		case exitDone, exitLost, exitInput:
			if strings.Contains(talk.String(), "closing:") {
				t.Fatalf("%v: %s", args, &talk)
			}
		default:
			t.Fatalf("%v: exit code %d: %s", args, code, &talk)
		}
	}
	for i := range 100 {
		once(i)
	}
	files, memory := processUse(t)
	for i := range 400 {
		once(100 + i)
	}
	files2, memory2 := processUse(t)
	if files2 > files {
		t.Errorf("%d files are open, %d before", files2, files)
	}
	if grown := memory2 - memory; grown > 24<<20 {
		t.Errorf("the process grew by %d KiB in 400 runs", grown>>10)
	} else {
		t.Logf("%d files open, %d KiB more after 400 runs", files2, grown>>10)
	}
}
