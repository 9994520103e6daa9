package av

import (
	"fmt"
	"testing"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

var sizes = [][2]int{{1, 1}, {2, 2}, {3, 5}, {64, 48}, {321, 241}, {1920, 1080}, {16, 4000}}

// TestPackedLayout compares the bytes of a packed layout with what libavutil needs to store the
// picture, for every pixel format there is.
func TestPackedLayout(t *testing.T) {
	checked := 0
	for _, format := range Formats() {
		for _, s := range sizes {
			f := astiav.AllocFrame()
			f.SetPixelFormat(astiav.PixelFormat(formatOf(format)))
			f.SetWidth(s[0])
			f.SetHeight(s[1])
			want, err := f.ImageBufferSize(1)
			f.Free()
			if err != nil {
				continue // libavutil cannot store it either
			}
			checked++
			l, err := Layout(format, s[0], s[1], 1)
			if err != nil {
				t.Errorf("%s %v: %v", format, s, err)
				continue
			}
			if l.Size != want {
				t.Errorf("%s %v: %d bytes, libavutil says %d", format, s, l.Size, want)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d layouts were compared", checked)
	}
}

// TestLayoutAgrees compares the layouts of package frame with those made from libavutil's own
// arithmetic.
func TestLayoutAgrees(t *testing.T) {
	for _, format := range frame.Described() {
		for _, s := range sizes {
			for _, align := range []int{1, 64} {
				t.Run(fmt.Sprint(format, s, align), func(t *testing.T) {
					want, err := Layout(format, s[0], s[1], align)
					if err != nil {
						t.Fatal(err)
					}
					got, err := frame.NewLayout(format, s[0], s[1], align)
					if err != nil {
						t.Fatal(err)
					}
					if got != want {
						t.Errorf("got %+v\nwant %+v", got, want)
					}
				})
			}
		}
	}
}

func TestLayoutRefuses(t *testing.T) {
	for _, c := range []struct {
		format frame.PixelFormat
		w, h   int
	}{{"yuv420p", 0, 4}, {"yuv420p", 4, -1}, {"nothing", 4, 4}, {"", 4, 4}, {"vaapi", 4, 4}, {"rgb24", 1 << 30, 1 << 30}} {
		if l, err := Layout(c.format, c.w, c.h, 64); err == nil {
			t.Errorf("%s %dx%d: got %+v", c.format, c.w, c.h, l)
		}
	}
}
