package avtest_test

import (
	"context"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/internal/av/avtest"
)

// TestRotation compares what a display matrix is taken to mean with what ffprobe says.
func TestRotation(t *testing.T) {
	for _, name := range []string{"h264_rot90_480x270.mp4", "hevc_iphone_live_rotm90_data.mov", "h264_4k60_portrait_fullrange.mp4"} {
		file := filepath.Join(avtest.Media(t), name)
		said := avtest.FFprobe(t, "-select_streams", "v:0", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", file)
		want, err := strconv.ParseFloat(strings.TrimSpace(said), 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s, err := decode.Open(context.Background(), decode.Params{Path: file})
		if err != nil {
			t.Fatal(err)
		}
		v := s.Input().Video
		s.Close()
		if got := v.Rotation(); math.Abs(got-want) > 0.01 {
			t.Errorf("%s: %v degrees, ffprobe says %v", name, got, want)
		}
	}
}

// TestRotationInFrames reads a rotation that is told in the coded stream, not by the container.
func TestRotationInFrames(t *testing.T) {
	file := avtest.Clip(t, "turned.h264", small, "-c:v", "libx264", "-bsf:v", "h264_metadata=display_orientation=insert:rotate=90")
	s, err := decode.Open(context.Background(), decode.Params{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := s.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Release()
	m := av.DisplayMatrix(f)
	if m == nil {
		t.Fatal("the frame has no display matrix")
	}
	if got := av.Rotation(m); math.Abs(got-90) > 0.01 {
		t.Errorf("%v degrees, want 90", got)
	}
}
