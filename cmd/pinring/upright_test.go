package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// matrices are the eight ways in which a container can ask for a picture to be shown, as the first
// two rows of a display matrix, and two that are no quarter turn.
var matrices = map[string][4]float64{
	"as it is":            {1, 0, 0, 1},
	"90":                  {0, 1, -1, 0},
	"180":                 {-1, 0, 0, -1},
	"270":                 {0, -1, 1, 0},
	"mirrored":            {-1, 0, 0, 1},
	"upside down":         {1, 0, 0, -1},
	"transposed":          {0, 1, 1, 0},
	"transposed the rest": {0, -1, -1, 0},
	"almost 90":           {0.005, 1, -1, 0.005},
}

// withMatrix is a copy of an MP4 file whose track header has another display matrix.
func withMatrix(t *testing.T, file string, m [4]float64) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte("tkhd"))
	if at < 0 {
		t.Fatal("no track header")
	}
	at += 4 + 4 + 20 + 8 + 8 // its version and flags; times, track, duration; reserved; layer to volume
	for i, v := range []float64{m[0], m[1], 0, m[2], m[3], 0, 0, 0} {
		binary.BigEndian.PutUint32(b[at+4*i:], uint32(int32(math.Round(v*65536))))
	}
	out := filepath.Join(t.TempDir(), "turned.mp4")
	if err := os.WriteFile(out, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return out
}

// needsFFmpeg makes a small video by the ffmpeg program.
func needsFFmpeg(t *testing.T, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	out := filepath.Join(t.TempDir(), args[len(args)-1])
	args = append(append([]string{"-v", "error", "-y"}, args[:len(args)-1]...), out)
	if b, err := exec.Command("ffmpeg", args...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg %v: %v\n%s", args, err, b)
	}
	return out
}

// md5Lines are the lines of framemd5 but for the one that names the library.
func md5Lines(b []byte) string {
	var lines []string
	for _, l := range strings.Split(string(b), "\n") {
		if !strings.HasPrefix(l, "#software") {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// ffmpegSums are the checksums that ffmpeg itself gives; options come before the input.
func ffmpegSums(t *testing.T, input string, options ...string) string {
	t.Helper()
	args := append(append([]string{"-v", "error"}, options...), "-i", input, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-")
	b, err := exec.Command("ffmpeg", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return md5Lines(b)
}

// ourSums are those of pinring run, and what it said.
func ourSums(t *testing.T, args ...string) (sums, said string) {
	t.Helper()
	t.Setenv("PINRING_CONFIG", os.DevNull)
	list := filepath.Join(t.TempDir(), "list")
	var out, talk bytes.Buffer
	if code := newApp(&out, &talk, rooms).main(append([]string{"run", "--device", "cpu", "-o", "md5:" + list, "--yes"}, args...)); code != exitDone {
		t.Fatalf("exit code %d: %s", code, &talk)
	}
	b, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	return md5Lines(b), talk.String()
}

// Pictures are turned upright as ffmpeg does it, whatever the matrix; --no-autorotate leaves them.
func TestUprightAsFFmpeg(t *testing.T) {
	plain := needsFFmpeg(t, "-f", "lavfi", "-i", "testsrc2=s=70x50:r=5:d=0.6", "-vf", "setsar=4/3", "-c:v", "libx264", "-pix_fmt", "yuv420p", "plain.mp4")
	for name, m := range matrices {
		t.Run(name, func(t *testing.T) {
			input := withMatrix(t, plain, m)
			got, said := ourSums(t, input)
			if want := ffmpegSums(t, input); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if turned := strings.Contains(said, "turned upright"); turned != (name != "as it is") {
				t.Errorf("said %s", said)
			}
			got, _ = ourSums(t, input, "--no-autorotate")
			if want := ffmpegSums(t, input, "-noautorotate"); got != want {
				t.Errorf("not turned: got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A turn that no quarter turn answers is told, and carried on to outputs that can say so.
func TestOddAngle(t *testing.T) {
	plain := needsFFmpeg(t, "-f", "lavfi", "-i", "testsrc2=s=70x50:r=5:d=0.6", "-c:v", "libx264", "-pix_fmt", "yuv420p", "plain.mp4")
	input := withMatrix(t, plain, [4]float64{math.Cos(math.Pi / 6), math.Sin(math.Pi / 6), -math.Sin(math.Pi / 6), math.Cos(math.Pi / 6)})
	got, said := ourSums(t, input)
	if want := ffmpegSums(t, input, "-noautorotate"); got != want || !strings.Contains(said, "30 degrees") {
		t.Errorf("said %s; got\n%s\nwant\n%s", said, got, want)
	}
	if r := rotationOf(t, written(t, input)); r != "-30" && r != "-29" { // ffprobe cuts the fraction off
		t.Errorf("the output says %q", r)
	}
}

// written is an MP4 file made of the input.
func written(t *testing.T, input string, args ...string) string {
	t.Helper()
	output := filepath.Join(t.TempDir(), "out.mp4")
	code, r := inProcess(t, append([]string{"run", input, "--device", "cpu", "-o", output, "--preset", "ultrafast", "--no-audio"}, args...)...)
	if code != exitDone {
		t.Fatalf("exit code %d: %+v", code, r.Error)
	}
	return output
}

// rotationOf is what ffprobe reads from the display matrix, empty when there is none.
func rotationOf(t *testing.T, file string) string {
	t.Helper()
	b, err := exec.Command("ffprobe", "-v", "error", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

func sizeOf(t *testing.T, file string) string {
	t.Helper()
	b, err := exec.Command("ffprobe", "-v", "error", "-show_entries", "stream=width,height,sample_aspect_ratio", "-of", "csv=p=0", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimSpace(strings.Split(string(b), "\n")[0]), ",")
}

// Rotation is applied or carried, never both; the JSON tells the size that is seen.
func TestRotationIsAppliedOrCarried(t *testing.T) {
	plain := needsFFmpeg(t, "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=0.6", "-vf", "setsar=4/3", "-c:v", "libx264", "-pix_fmt", "yuv420p", "plain.mp4")
	input := withMatrix(t, plain, matrices["90"])
	out := written(t, input)
	if r, s := rotationOf(t, out), sizeOf(t, out); r != "" || s != "48,64,3:4" {
		t.Errorf("turned: rotation %q, size %s", r, s)
	}
	out = written(t, input, "--no-autorotate")
	if r, s := rotationOf(t, out), sizeOf(t, out); !strings.HasPrefix(r, "-90") || s != "64,48,4:3" {
		t.Errorf("not turned: rotation %q, size %s", r, s)
	}
	for _, c := range []struct {
		w, h int
		args []string
	}{{48, 64, nil}, {64, 48, []string{"--no-autorotate"}}} {
		_, r := inProcess(t, append([]string{"run", input, "--device", "cpu"}, c.args...)...)
		if r.Input.Width != c.w || r.Input.Height != c.h {
			t.Errorf("%v: the JSON tells %dx%d", c.args, r.Input.Width, r.Input.Height)
		}
	}
}

// The filters of the user come after the turn; a picture whose size changes on the way is turned, too.
func TestUprightAndMore(t *testing.T) {
	plain := needsFFmpeg(t, "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=0.6", "-c:v", "libx264", "-pix_fmt", "yuv420p", "plain.mp4")
	input := withMatrix(t, plain, matrices["270"])
	got, _ := ourSums(t, input, "-f", "vflip,negate")
	b, err := exec.Command("ffmpeg", "-v", "error", "-i", input, "-map", "0:v:0", "-vf", "vflip,negate", "-fps_mode", "passthrough", "-f", "framemd5", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got != md5Lines(b) {
		t.Errorf("got\n%s\nwant\n%s", got, md5Lines(b))
	}
}

// Real files with rotation come out as from ffmpeg.
func TestUprightMedia(t *testing.T) {
	dir := os.Getenv("PINRING_MEDIA")
	if dir == "" {
		t.Skip("PINRING_MEDIA names no folder of real files")
	}
	for _, name := range []string{"h264_rot90_480x270.mp4", "hevc_iphone_live_rotm90_data.mov", "h264_4k60_portrait_fullrange.mp4"} {
		got, said := ourSums(t, filepath.Join(dir, name))
		if want := ffmpegSums(t, filepath.Join(dir, name)); got != want || !strings.Contains(said, "turned upright") {
			t.Errorf("%s: %s\n%s", name, said, got)
		}
	}
}
