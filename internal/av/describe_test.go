package av

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pinring/pinring/frame"
)

// TestDescribe compares package frame's table with libavutil's descriptors.
func TestDescribe(t *testing.T) {
	for _, f := range frame.Described() {
		want, ok := Describe(f)
		if !ok {
			t.Errorf("%s: libavutil does not know it", f)
			continue
		}
		want.FullRangeYUV = strings.HasPrefix(string(f), "yuvj") // libavutil has no flag for it
		got, _ := frame.Describe(f)
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", f, *got, want)
		}
	}
}

func TestColorNames(t *testing.T) {
	in := frame.Color{Range: "tv", Matrix: "bt2020nc", Primaries: "bt2020", Transfer: "smpte2084", ChromaLocation: "topleft"}
	if got := tagsOf(in).names(); got != in {
		t.Errorf("got %+v, want %+v", got, in)
	}
	if got := tagsOf(frame.Color{}).names(); got != (frame.Color{}) {
		t.Errorf("nothing said became %+v", got)
	}
	if got := tagsOf(frame.Color{Matrix: "no such matrix"}).names(); got != (frame.Color{}) {
		t.Errorf("an unknown name became %+v", got)
	}
}
