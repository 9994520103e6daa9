package trial

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
)

// Pictures are kept as the host has memory for them, and refused where one is too much already.
func TestPicturesFitTheHost(t *testing.T) {
	defer func(f func() int64) { freeRAM = f }(freeRAM)
	const mega = 1000 * 1000 // a gray picture of 1000 x 1000
	y4m := func(n int) string {
		return "YUV4MPEG2 W1000 H1000 Cmono\n" + strings.Repeat("FRAME\n"+strings.Repeat("x", mega), n)
	}
	for _, c := range []struct {
		free       int64
		made, read int
	}{{1 << 40, syntheticCount, y4mCount}, {40 * mega, 8, 10}, {20 * mega, 5, 5}} {
		freeRAM = func() int64 { return c.free }
		p, err := Synthetic(frame.Gray, 1000, 1000, frame.Rational{Num: 30, Den: 1})
		q, bad := ReadY4M(strings.NewReader(y4m(20)), "-")
		if err != nil || bad != nil || len(p.Data) != c.made || len(q.Data) != c.read {
			t.Errorf("%d bytes are free: %v, %v: %d made and %d read, want %d and %d", c.free, err, bad, len(p.Data), len(q.Data), c.made, c.read)
		}
	}
	freeRAM = func() int64 { return 19 * mega }
	_, err := Synthetic(frame.Gray, 1000, 1000, frame.Rational{Num: 30, Den: 1})
	_, bad := ReadY4M(strings.NewReader(y4m(1)), "-")
	for _, err := range []error{err, bad} {
		if !errors.Is(err, gpu.ErrOutOfMemory) || !strings.Contains(fmt.Sprint(err), "too much for the 19.0 MB") {
			t.Errorf("a picture that is too large: %v", err)
		}
	}
}

// A picture of a gigabyte is one of few, however much memory there is.
func TestLargePicturesAreFew(t *testing.T) {
	defer func(f func() int64) { freeRAM = f }(freeRAM)
	freeRAM = func() int64 { return 1 << 50 }
	for size, want := range map[int]int{1 << 20: 16, 100 << 20: 5, 1 << 30: 1} {
		if n := (&Pictures{Layout: frame.Layout{Size: size}}).atMost(16); n != want {
			t.Errorf("%d bytes: %d pictures, want %d", size, n, want)
		}
	}
}
