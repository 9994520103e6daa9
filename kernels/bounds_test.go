//go:build cgo && !windows

package kernels_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// How far the kernels may be from swscale, which tests assert and docs/pixel-formats.md tells.
var (
	commonBounds  = bounds{inner: 1, whole: 3, psnr: 53}
	otherBounds   = bounds{inner: 2, whole: 3, psnr: 50}
	quarterBounds = bounds{inner: 5, whole: 5, psnr: 53}
	hardBounds    = bounds{inner: 25, whole: 25, psnr: 53}
	oddBounds     = bounds{inner: 1, whole: 4, psnr: 53}
	scaleBounds   = bounds{inner: 2, whole: 6, psnr: 50}
	scaleRGB      = bounds{inner: 1, whole: 4, psnr: 54}
	bothBounds    = bounds{inner: 2, whole: 8, psnr: 50}
)

// When this fails, put the table that it prints into the page.
func TestPageTellsTheBounds(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "pixel-formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| what | inside | with the border | PSNR at least |\n|---|---|---|---|\n")
	for _, r := range []struct {
		what string
		bounds
	}{
		{"conversions between the ten common formats", commonBounds},
		{"the same, odd sizes", oddBounds},
		{"the same, full contrast: swscale clips what overshoots between its passes", hardBounds},
		{"conversions of the other formats", otherBounds},
		{"conversions of 4:1:1 and 4:1:0, whose chroma grows fourfold", quarterBounds},
		{"`scale`, all YUV and gray formats, bicubic and bilinear", scaleBounds},
		{"`scale`, RGB, each component against swscale's gray", scaleRGB},
		{"`scale` and a conversion in one pass", bothBounds},
	} {
		fmt.Fprintf(&b, "| %s | %d | %d | %.0f dB |\n", r.what, r.inner, r.whole, r.psnr)
	}
	if !strings.Contains(string(page), b.String()) {
		t.Errorf("the page lacks this:\n%s", &b)
	}
}
