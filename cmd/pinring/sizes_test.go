package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pinring/pinring/report"
)

// changingSizes joins n short clips of five sizes, so that the file changes its size n-1 times, up and down.
func changingSizes(t *testing.T, n int, ext string) string {
	t.Helper()
	var parts [][]byte
	for i, size := range []string{"160x120", "320x240", "96x64", "322x182", "64x352"} {
		part := needsFFmpeg(t, "-f", "lavfi", "-i", "testsrc2=r=25:d=0.2:s="+size, "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p", fmt.Sprint(i, ext))
		b, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, b)
	}
	var all []byte
	for i := range n {
		all = append(all, parts[i*3%len(parts)]...)
	}
	file := filepath.Join(t.TempDir(), "sizes"+ext)
	if err := os.WriteFile(file, all, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A file that changes its size 50 times: md5: follows, with FFmpeg's lines, and also where kernels work
// on a card that copies. In .ts the packets' times jump back at each part, as ffmpeg sees them.
func TestFiftySizes(t *testing.T) {
	for _, ext := range []string{".h264", ".ts"} {
		input := changingSizes(t, 51, ext)
		want := sumsOfAllSizes(t, input)
		if n := strings.Count(want, "\n0,"); n != 51*5 {
			t.Fatalf("ffmpeg made %d frames", n)
		}
		if got, _ := ourSums(t, input); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", ext, got, want)
		}
		turned, _ := ourSums(t, input, "-f", "hflip,vflip", "--emulate", "card-24g")
		if want := sumsOfAllSizes(t, input, "-vf", "hflip,vflip"); turned != want {
			t.Errorf("%s turned: got\n%s\nwant\n%s", ext, turned, want)
		}
	}
}

// sumsOfAllSizes are ffmpeg's checksums of a file whose size changes.
func sumsOfAllSizes(t *testing.T, input string, options ...string) string {
	t.Helper()
	args := append([]string{"-v", "error", "-i", input, "-map", "0:v:0", "-autoscale", "0", "-fps_mode", "passthrough"}, options...)
	return md5Lines([]byte(output(t, "ffmpeg", append(args, "-f", "framemd5", "-")...)))
}

// However often the size changes, memory is allocated as for the sizes' first round: a slot's worth once,
// and a chunk or two when the larger ones come.
func TestFiftySizesAllocateAsFive(t *testing.T) {
	for _, n := range []int{6, 51, 151} {
		input := changingSizes(t, n, ".h264")
		for _, args := range [][]string{{"-f", "negate"}, {"-o", filepath.Join(t.TempDir(), "out.mkv"), "--vcodec", "ffv1"}} {
			code, r := inProcess(t, append([]string{"run", input, "--device", "cpu", "--emulate", "card-24g"}, args...)...)
			if code != exitDone || r.Frames.Delivered != int64(5*n) {
				t.Fatalf("%d parts, %v: exit code %d, %+v", n, args, code, r.Frames)
			}
			for _, ring := range []*report.Ring{r.HostMemory.Upload, r.HostMemory.Download} {
				if ring.Allocs > int64(ring.Slots)+5 {
					t.Errorf("%d parts, %v: %d allocations for %d slots", n, args, ring.Allocs, ring.Slots)
				}
			}
		}
	}
}

// A file keeps its first size: the pictures of that size are untouched, the others scaled as ffmpeg does
// for a file. Each new size is said once.
func TestFiftySizesIntoAFile(t *testing.T) {
	input := changingSizes(t, 51, ".h264")
	dir := t.TempDir()
	ours, theirs := filepath.Join(dir, "ours.mkv"), filepath.Join(dir, "theirs.mkv")
	var out, talk bytes.Buffer
	t.Setenv("PINRING_CONFIG", os.DevNull)
	if code := newApp(&out, &talk, rooms).main([]string{"run", input, "--device", "cpu", "-o", ours, "--vcodec", "ffv1", "--emulate", "card-24g"}); code != exitDone {
		t.Fatalf("exit code %d: %s", code, &talk)
	}
	if n := strings.Count(talk.String(), "the output stays 160x120 yuv420p"); n != 4 {
		t.Errorf("four sizes more, and it is said %d times: %s", n, &talk)
	}
	// swscale is told to be exact; by default its rounding is coarse.
	output(t, "ffmpeg", "-v", "error", "-i", input, "-vf", "scale=160:120:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp", "-c:v", "ffv1", theirs)
	sizes := output(t, "ffprobe", "-v", "error", "-show_entries", "frame=width,height", "-of", "csv=p=0", ours)
	if n := strings.Count(sizes, "160,120"); n != 51*5 || len(strings.Fields(sizes)) != n {
		t.Errorf("%d pictures are 160x120:\n%s", n, sizes)
	}
	stats := output(t, "ffmpeg", "-v", "error", "-i", ours, "-i", theirs, "-lavfi", "psnr=stats_file=-", "-f", "null", "-")
	compared := regexp.MustCompile(`psnr_avg:(\S+)`).FindAllStringSubmatch(stats, -1)
	if len(compared) != 51*5 {
		t.Errorf("%d frames were compared", len(compared))
	}
	for i, m := range compared {
		db, err := strconv.ParseFloat(m[1], 64)
		same := i/5%5 == 0 // parts of the first size
		if same && m[1] != "inf" || !same && (err != nil || db < 45) {
			t.Errorf("frame %d differs from ffmpeg's by %s dB", i, m[1])
		}
	}
}

// output is what a program prints that must do well.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	b, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return string(b)
}
