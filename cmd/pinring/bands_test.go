package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/report"
)

// generated makes a short lossless clip with FFmpeg's own program.
func generated(t *testing.T, name, size, format, frames string) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("the program ffmpeg is needed to make the input")
	}
	path := filepath.Join(t.TempDir(), name)
	cmd := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s="+size+":r=25", "-frames:v", frames,
		"-pix_fmt", format, "-c:v", "ffv1", "-level", "3", "-slices", "24", "-threads", "2", path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	return path
}

// checksums runs the clip into md5: under a cap on an emulated card, on which all copies are made.
func checksums(t *testing.T, clip, limit string, more ...string) (string, report.Run) {
	t.Helper()
	sums := filepath.Join(t.TempDir(), "sums")
	args := append([]string{"run", clip, "-o", "md5:" + sums, "--device", "cpu", "--emulate", "card-24g", "--max-pinned", limit}, more...)
	code, r := inProcess(t, args...)
	if code != exitDone {
		t.Fatalf("under %s: exit code %d: %+v", limit, code, r.Error)
	}
	text, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), r
}

func pinnedPeak(r report.Run) (n int64) {
	for _, d := range []*report.Ring{r.HostMemory.Upload, r.HostMemory.Download} {
		if d != nil {
			n += d.PinnedPeakBytes
		}
	}
	return n
}

// Large pictures under small caps: the same bytes, and no more pinned memory than allowed. With 16
// decoder threads the decoder's own demand would be many times the cap.
func TestLargePicturesUnderSmallCaps(t *testing.T) {
	clip := generated(t, "4k10.mkv", "3840x2160", "yuv420p10le", "2")
	for _, chain := range [][]string{nil, {"-f", "negate"}} {
		want, r := checksums(t, clip, "2GiB", append(chain, "--decoder-threads", "16")...)
		if r.Frames.BandedUp+r.Frames.BandedDown != 0 {
			t.Errorf("bands under a large cap: %+v", *r.Frames)
		}
		for _, c := range []struct {
			text     string
			bytes    int64
			up, down bool
		}{{"64MiB", 64 << 20, false, false}, {"40MiB", 40 << 20, true, false}, {"1MiB", 1 << 20, true, true}} {
			got, r := checksums(t, clip, c.text, append(chain, "--decoder-threads", "16")...)
			if got != want {
				t.Errorf("%v under %s: the pictures differ", chain, c.text)
			}
			if f := r.Frames; (f.BandedUp == 2) != c.up || (f.BandedDown == 2) != c.down || pinnedPeak(r) > c.bytes {
				t.Errorf("%v under %s: %+v, %d bytes pinned", chain, c.text, *f, pinnedPeak(r))
			}
		}
	}
}

// An 8K picture of 199 MB.
func TestEightKUnderSmallCap(t *testing.T) {
	if os.Getenv("PINRING_TEST_LONG") == "" {
		t.Skip("PINRING_TEST_LONG=1 runs it: half a minute and 3 GB")
	}
	clip := generated(t, "8k16.mkv", "7680x4320", "yuv444p16le", "2")
	want, _ := checksums(t, clip, "8GiB", "--in-flight", "2")
	for limit, bytes := range map[string]int64{"256MiB": 256 << 20, "64MiB": 64 << 20} {
		got, r := checksums(t, clip, limit, "--in-flight", "2")
		if got != want || r.Frames.BandedUp != 2 || pinnedPeak(r) > bytes {
			t.Errorf("under %s: %+v, %d bytes pinned, the same pictures: %v", limit, *r.Frames, pinnedPeak(r), got == want)
		}
	}
}

// An encoder that keeps frames gets as many slots more, and one that keeps none does not: no
// picture is copied for it, and none is waited for.
func TestSlotsForWhatTheEncoderHolds(t *testing.T) {
	for _, c := range []struct {
		codec, name string
		keeps       bool
	}{{"libx264", "out.mkv", false}, {"prores_ks", "out.mov", true}, {"png", "out.mkv", true}} {
		held := av.EncoderMayHold(c.codec, 0, 0) // eight, or as many as there are cores
		if (held > 0) != c.keeps {
			t.Errorf("%s keeps %d frames", c.codec, held)
		}
		code, r := inProcess(t, "run", filepath.Join("..", "..", "samples", "sample.mp4"), "-o", filepath.Join(t.TempDir(), c.name),
			"--vcodec", c.codec, "--device", "cpu", "--emulate", "card-24g", "-f", "scale=320:180", "--frames", "60", "--no-audio", "--in-flight", "4")
		if code != exitDone {
			t.Fatalf("%s: exit code %d: %+v", c.codec, code, r.Error)
		}
		if d := r.HostMemory.Download; d.Slots != 4+held || d.Allocs != int64(d.Slots) || d.Frees != 0 || r.Frames.CopiedToEncoder != 0 || r.Frames.Delivered != 60 {
			t.Errorf("%s keeps %d: %+v, %+v", c.codec, held, *d, *r.Frames)
		}
	}
}
