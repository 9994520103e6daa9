//go:build cgo && !windows

package kernels_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
	"github.com/pinring/pinring/kernels/kerneltest"
)

// exact are swscale's flags for its most careful arithmetic.
const exact = "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"

// filtered is what a filter of FFmpeg's shall make, and in what format.
type filtered struct {
	filter string
	out    frame.PixelFormat
}

// ffmpeg runs a filter of FFmpeg's on one raw picture.
func ffmpeg(t *testing.T, in frame.Info, raw []byte, filter string, out frame.PixelFormat) []byte {
	t.Helper()
	return ffmpegEach(t, in, raw, []filtered{{filter, out}})[0]
}

// ffmpegEach runs filters on one raw picture, in one process: to start it takes longer than most filters do.
func ffmpegEach(t *testing.T, in frame.Info, raw []byte, each []filtered) (pictures [][]byte) {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the ffmpeg program is not installed: no comparison with it")
	}
	args := []string{"-hide_banner", "-loglevel", "error", "-filter_threads", "1", "-f", "rawvideo",
		"-pix_fmt", string(in.Format), "-s", fmt.Sprintf("%dx%d", in.Width, in.Height), "-i", "-"}
	dir := t.TempDir()
	file := func(i int) string { return filepath.Join(dir, strconv.Itoa(i)) }
	for i, e := range each {
		args = append(args, "-sws_flags", exact, "-vf", e.filter, "-f", "rawvideo", "-pix_fmt", string(e.out), file(i))
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin = bytes.NewReader(raw)
	if talk, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg %v: %v: %s", each, err, talk)
	}
	for i := range each {
		b, err := os.ReadFile(file(i))
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, b)
	}
	return pictures
}

// ours runs a chain of ours on the best host variant.
func ours(t *testing.T, in frame.Info, raw []byte, chain string, want frame.PixelFormat) ([]byte, frame.Info) {
	t.Helper()
	dev := kerneltest.NewHost()
	prog, err := dev.Load(kernels.Module())
	if err != nil {
		t.Fatal(err)
	}
	out, info, err := kerneltest.Run(dev, prog, chain, in, want, raw)
	if err != nil {
		t.Fatalf("%s on %s: %v", chain, in.Format, err)
	}
	return out, info
}

// difference compares two pictures, packed tightly: the largest difference of samples, in codes, of
// the whole picture and without a margin of 4 samples at its borders, and the PSNR in dB.
func difference(t *testing.T, i frame.Info, a, b []byte) (whole, inner int, psnr float64) {
	t.Helper()
	l, err := frame.NewLayout(i.Format, i.Width, i.Height, 1)
	if err != nil || len(a) != l.Size || len(b) != l.Size {
		t.Fatalf("%d bytes and %d bytes of %s %dx%d: %v", len(a), len(b), i.Format, i.Width, i.Height, err)
	}
	const margin = 4
	d, _ := frame.Describe(i.Format)
	ours, theirs := unpack(i, a), unpack(i, b)
	sum, n := 0.0, 0
	for c, p := range ours {
		for k, v := range p.v {
			e := int(math.Abs(v - theirs[c].v[k]))
			x, y := k%p.w, k/p.w
			whole = max(whole, e)
			if x >= margin && y >= margin && x < p.w-margin && y < p.h-margin {
				inner = max(inner, e)
			}
			sum += float64(e * e)
			n++
		}
	}
	top := float64(int(1)<<d.Depth() - 1)
	return whole, inner, 10 * math.Log10(top*top*float64(n)/max(sum, 1e-9))
}

func code(b []byte, size int) int {
	if size == 1 {
		return int(b[0])
	}
	return int(b[0]) | int(b[1])<<8
}

// Pictures that comparisons run on: FFmpeg's own test picture, which has edges, ramps and text.
const (
	hard = "testsrc2"
	// soft has the same content with less contrast, so that the overshoot of bicubic filters never
	// reaches the ends of the scale. swscale clips it there between its two passes, we do not.
	soft = "testsrc2,format=yuv444p,lutyuv=y=val*0.7+30:u=(val-128)*0.7+128:v=(val-128)*0.7+128"
)

// picture makes one of them in a format.
func picture(t *testing.T, source string, f frame.PixelFormat, w, h int) (frame.Info, []byte) {
	t.Helper()
	in := frame.Info{Format: f, Width: w, Height: h, Color: frame.Color{Matrix: "smpte170m"}}
	key := fmt.Sprint(source, f, w, h)
	if b, ok := pictures[key]; ok {
		return in, b
	}
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("the ffmpeg program is not installed: no comparison with it")
	}
	b, err := exec.Command(path, "-hide_banner", "-loglevel", "error", "-f", "lavfi",
		"-i", strings.Replace(source, "testsrc2", fmt.Sprintf("testsrc2=s=%dx%d", w, h), 1), "-frames:v", "1",
		"-sws_flags", exact, "-f", "rawvideo", "-pix_fmt", string(f), "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	pictures[key] = b
	return in, b
}

var pictures = map[string][]byte{} // made once; tests only read them

// bounds are what a comparison with FFmpeg asserts.
type bounds struct {
	inner, whole int // largest difference of 8-bit codes, without and with the border samples
	psnr         float64
}

// agree asserts bounds; in more bits, differences count four times.
func agree(t *testing.T, i frame.Info, ours, theirs []byte, b bounds) {
	t.Helper()
	d, _ := frame.Describe(i.Format)
	scale := 1 << (d.Depth() - 8)
	whole, inner, psnr := difference(t, i, ours, theirs)
	t.Logf("largest difference %d (inside %d), PSNR %.1f dB", whole, inner, psnr)
	if whole > b.whole*scale || inner > b.inner*scale || psnr < b.psnr {
		t.Errorf("largest difference %d (bound %d), inside %d (bound %d), PSNR %.1f dB (bound %.1f)",
			whole, b.whole*scale, inner, b.inner*scale, psnr, b.psnr)
	}
}
