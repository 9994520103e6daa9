package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pinring/pinring/report"
)

// coded is a picture of a coded file, in the order in which pictures are shown.
type coded struct {
	kind     string // I, P, B
	at, size int    // its bytes in the file
}

// codedPictures asks ffprobe where the pictures of a file lie.
func codedPictures(t *testing.T, file string) (out []coded) {
	t.Helper()
	text, err := exec.Command("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pict_type,pkt_pos,pkt_size",
		"-of", "default=nokey=0", file).Output()
	if err != nil {
		t.Skip("the program ffprobe is needed")
	}
	var c coded
	for l := range strings.Lines(string(text)) {
		k, v, _ := strings.Cut(strings.TrimSpace(l), "=")
		n, _ := strconv.Atoi(v)
		switch k {
		case "pkt_pos":
			c.at = n
		case "pkt_size":
			c.size = n
		case "pict_type":
			c.kind = v
		case "[/FRAME]":
			out = append(out, c)
		}
	}
	return out
}

// damagedClip is a file of 50 pictures. Of three that no other refers to, two cannot be decoded (the
// length of their data is nonsense) and one only in part. It gives the numbers of the pictures.
func damagedClip(t *testing.T) (file string, lost []int, part int) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "damaged.mp4")
	make := exec.Command("ffmpeg", "-v", "error", "-y", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=2", "-threads", "1", "-c:v", "libx264",
		"-pix_fmt", "yuv420p", "-bf", "2", "-g", "25", "-x264-params", "b-pyramid=none:b-adapt=0:scenecut=0", file)
	if out, err := make.CombinedOutput(); err != nil {
		t.Skipf("the program ffmpeg is needed: %v %s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b []int
	pictures := codedPictures(t, file)
	for i, c := range pictures {
		if c.kind == "B" {
			b = append(b, i)
		}
	}
	if len(pictures) != 50 || len(b) < 20 {
		t.Fatalf("%d pictures, %d of them B", len(pictures), len(b))
	}
	lost, part = []int{b[8], b[13]}, b[4]
	for _, i := range lost {
		copy(data[pictures[i].at:], "\xff\xff\xff\xff")
	}
	hurt := pictures[part]
	for i := hurt.at + hurt.size/2; i < hurt.at+hurt.size; i++ {
		data[i] = 0xff
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return file, lost, part
}

// Each policy gives its own exact counts on one damaged file, on as many threads as the user likes.
func TestOnErrorPolicies(t *testing.T) {
	file, lost, part := damagedClip(t)
	if part > lost[0] {
		t.Fatal("the picture that is damaged in part must come first")
	}
	for _, threads := range []string{"1", "3"} {
		for policy, want := range map[string]struct {
			frames report.Frames
			code   int
		}{
			"conceal": {report.Frames{Decoded: 48, Delivered: 48, Concealed: 1, Undecodable: 2}, exitLost},
			"skip":    {report.Frames{Decoded: 48, Delivered: 47, Discarded: 1, Undecodable: 2}, exitLost},
			"repeat":  {report.Frames{Decoded: 50, Delivered: 50, Repeated: 3, Undecodable: 2}, exitLost},
			"abort":   {report.Frames{Decoded: int64(part), Delivered: int64(part)}, exitInput},
		} {
			if policy == "conceal" && threads != "1" {
				continue // FFmpeg may not know in time that a picture is damaged
			}
			code, r := inProcess(t, "run", file, "--device", "cpu", "--decoder-threads", threads, "--on-error", policy)
			got := *r.Frames
			got.OutsideSlots = 0
			if code != want.code || got != want.frames {
				t.Errorf("%s, %s threads: exit code %d, want %d; %+v, want %+v", policy, threads, code, want.code, got, want.frames)
			}
			if d := got; d.Decoded != d.Delivered+d.Discarded {
				t.Errorf("%s: the counts do not add up: %+v", policy, got)
			}
			if policy == "abort" && (*r.Error.Frame != int64(part) || !strings.Contains(r.Error.Message, file) ||
				!strings.Contains(r.Error.Message, "only a part") || !strings.Contains(*r.Error.Hint, "--on-error")) {
				t.Errorf("%s: %+v", policy, r.Error)
			}
		}
	}
}

// A repeated picture is that before, at the time of the one that is missing.
func TestRepeatedPictures(t *testing.T) {
	file, lost, part := damagedClip(t)
	out := filepath.Join(t.TempDir(), "out.md5")
	inProcess(t, "run", file, "--device", "cpu", "--on-error", "repeat", "-o", "md5:"+out)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var sums []string
	for l := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSpace(l), ","); len(f) == 6 && !strings.HasPrefix(l, "#") {
			if strings.TrimSpace(f[2]) != strconv.Itoa(len(sums)) {
				t.Errorf("picture %d is shown at %s", len(sums), f[2])
			}
			sums = append(sums, f[5])
		}
	}
	if len(sums) != 50 {
		t.Fatalf("%d pictures", len(sums))
	}
	again := map[int]bool{part: true, lost[0]: true, lost[1]: true}
	for i := 1; i < 50; i++ {
		if same := sums[i] == sums[i-1]; same != again[i] {
			t.Errorf("picture %d is that before: %v, want %v", i, same, again[i])
		}
	}
}

// What was done until the damage is kept under a name that tells.
func TestAbortLeavesAPart(t *testing.T) {
	file, _, part := damagedClip(t)
	dir := t.TempDir()
	_, r := inProcess(t, "run", file, "--device", "cpu", "--on-error", "abort", "-o", filepath.Join(dir, "out.md5.y4m"))
	if r.Partial == nil || r.Frames.Delivered != int64(part) {
		t.Fatalf("%+v, partial %v", r.Frames, r.Partial)
	}
	if _, err := os.Stat(filepath.Join(dir, "out.md5.y4m")); err == nil {
		t.Error("the output has its name although it is not whole")
	}
	if _, err := os.Stat(*r.Partial); err != nil {
		t.Error(err)
	}
}

// A file that is cut off has lost frames, whatever its header promises; one that is whole has not.
func TestCutOffFileEndsWithLostFrames(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	file := filepath.Join(t.TempDir(), "whole.mkv")
	if out, err := exec.Command(ffmpeg, "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-c:v", "ffv1", file).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if code, r := inProcess(t, "run", file, "--device", "cpu"); code != exitDone || r.Frames.Delivered != 50 {
		t.Errorf("whole: exit code %d, %+v", code, r.Frames)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	code, r := inProcess(t, "run", file, "--device", "cpu")
	if code != exitLost || r.Frames.Delivered == 0 || r.Frames.Delivered > 30 || !strings.Contains(r.Error.Message, "ends too soon") {
		t.Errorf("cut off: exit code %d, %+v, %+v", code, r.Frames, r.Error)
	}
	if code, _ = inProcess(t, "run", file, "--device", "cpu", "--on-error", "abort"); code != exitInput {
		t.Errorf("cut off, abort: exit code %d", code)
	}
}
