package avtest

import (
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/kernels"
)

// Every format of libavutil that has no kernel is converted to one that loses nothing of it: depth,
// chroma, alpha, colour.
func TestNearestKernelFormatLosesNothing(t *testing.T) {
	n := 0
	for _, f := range av.Formats() {
		if kernels.Has(f) {
			continue
		}
		n++
		was, _ := av.Describe(f)
		got := nearest(f)
		is, ok := frame.Describe(got)
		if !ok {
			t.Errorf("%s: %s has no kernel", f, got)
			continue
		}
		deepest := 0
		for _, c := range was.Components {
			deepest = max(deepest, min(c.Depth, 16)) // nothing is deeper than 16 bits but floating point
		}
		colour := len(is.Components) >= 3
		if is.Depth() < deepest || is.Log2ChromaW > was.Log2ChromaW || is.Log2ChromaH > was.Log2ChromaH ||
			was.Alpha && !is.Alpha || len(was.Components) >= 3 && !colour {
			t.Errorf("%s becomes %s", f, got)
		}
	}
	if n < 50 {
		t.Errorf("only %d formats without kernels: is the list complete?", n)
	}
}

func nearest(f frame.PixelFormat) frame.PixelFormat { return av.BestFormat(kernels.Formats(), f) }
