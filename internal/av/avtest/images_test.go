package avtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// TestImages writes a sequence and compares its pixels with those of the source.
func TestImages(t *testing.T) {
	rgb := avtest.Clip(t, "rgb.mov", "testsrc2=size=66x50:rate=25:duration=0.4", "-c:v", "png", "-pix_fmt", "rgb24")
	dir := t.TempDir()
	out := filepath.Join(dir, "f-%03d.png")
	st := sequence(t, rgb, encode.Params{Output: out, StartNumber: 7})
	if st.Images != 10 {
		t.Errorf("%d images are claimed", st.Images)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 10 || entries[0].Name() != "f-007.png" || entries[9].Name() != "f-016.png" {
		t.Fatalf("the folder holds %v, %v", entries, err)
	}
	hash := func(args ...string) []string {
		var sums []string
		for _, l := range avtest.Comparable(avtest.FFmpeg(t, append(args, "-f", "framemd5", "-")...)) {
			if f := strings.Split(l, ","); len(f) == 6 && !strings.HasPrefix(l, "#") {
				sums = append(sums, f[5])
			}
		}
		return sums
	}
	if got, want := hash("-start_number", "7", "-i", out), hash("-i", rgb); len(want) != 10 || !slices.Equal(got, want) {
		t.Errorf("the pixels differ: %d images, %d frames", len(got), len(want))
	}

	// They are not replaced unless that is said, and nothing is touched.
	if err := attempt(t, rgb, encode.Params{Output: out, StartNumber: 16}); !errors.Is(err, encode.ErrExists) {
		t.Errorf("again: %v", err)
	}
	sequence(t, rgb, encode.Params{Output: out, StartNumber: 16, Overwrite: true})
	if n := len(hash("-start_number", "7", "-i", out)); n != 19 {
		t.Errorf("%d images after a second sequence, want 19", n)
	}
}

func sequence(t *testing.T, in string, p encode.Params) encode.Stats {
	t.Helper()
	_, st, err := avtest.Convert(context.Background(), decode.Params{Path: in, Threads: 2, Lender: &avtest.Lender{}}, p)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// TestOneImage: one picture makes one file; a second one makes none.
func TestOneImage(t *testing.T) {
	one := avtest.Clip(t, "one.mov", "testsrc2=size=66x50:rate=25:duration=0.04", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p")
	dir := t.TempDir()
	out := filepath.Join(dir, "o.jpg")
	if st := sequence(t, one, encode.Params{Output: out}); st.Images != 1 {
		t.Errorf("%d images are claimed", st.Images)
	}
	onlyFile(t, out)
	avtest.FFmpeg(t, "-xerror", "-i", out, "-f", "null", "-")
	two := avtest.Clip(t, "two.mov", "testsrc2=size=66x50:rate=25:duration=0.08", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p")
	wantFault(t, attempt(t, two, encode.Params{Output: filepath.Join(dir, "p.jpg")}), encode.ErrOneImage)
	wantFault(t, attempt(t, two, encode.Params{Output: out}), encode.ErrExists)
	onlyFile(t, out)
}

// TestImagesOverInput: a sequence does not run over the file that is being read.
func TestImagesOverInput(t *testing.T) {
	clip := avtest.Clip(t, "in.mov", "testsrc2=size=66x50:rate=25:duration=0.2", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p")
	dir := t.TempDir()
	in := filepath.Join(dir, "f3.jpg")
	if err := os.Rename(clip, in); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(in)
	err := attempt(t, in, encode.Params{Output: filepath.Join(dir, "f%d.jpg"), StartNumber: 1, Overwrite: true, Input: in})
	wantFault(t, err, encode.ErrIsInput)
	if after, _ := os.ReadFile(in); !slices.Equal(before, after) {
		t.Error("the input changed")
	}
	for n := 1; n <= 2; n++ { // what was complete stays
		avtest.FFmpeg(t, "-xerror", "-i", filepath.Join(dir, fmt.Sprintf("f%d.jpg", n)), "-f", "null", "-")
	}
}
