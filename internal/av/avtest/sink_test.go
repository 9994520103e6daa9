package avtest_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/internal/av/avtest"
)

// TestOddTimes gives the encoder frames whose time stamps are missing, repeated or run backwards.
func TestOddTimes(t *testing.T) {
	in := smallClip(t)
	for _, name := range []string{"out.mp4", "out.mkv"} {
		src, err := decode.Open(context.Background(), decode.Params{Path: in})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		out := filepath.Join(t.TempDir(), name)
		sink, err := encode.Open(context.Background(), encode.Params{Output: out, Preset: "medium"})
		if err != nil {
			t.Fatal(err)
		}
		defer sink.Close()
		adjusted := int64(0)
		for i := range 50 {
			f, err := src.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			switch i % 5 {
			case 0:
				f.PTS = frame.NoPTS
				adjusted++
			case 3:
				f.PTS = 0
				adjusted++
			}
			if err := sink.Write(context.Background(), f); err != nil {
				t.Fatal(err)
			}
		}
		if err := sink.Finish(context.Background()); err != nil {
			t.Fatal(err)
		}
		if st := sink.Stats(); st.AdjustedTimes < adjusted {
			t.Errorf("%s: %d time stamps were adjusted, want %d or more", name, st.AdjustedTimes, adjusted)
		}
		got := times(t, out)
		if len(got) != 50 || (name == "out.mp4" && len(slices.Compact(got)) != 50) {
			t.Errorf("%s: time stamps %v", name, got)
		}
	}
}

// TestAfterTheEnd uses a sink that is finished, or closed.
func TestAfterTheEnd(t *testing.T) {
	in := smallClip(t)
	for _, name := range []string{"out.mp4", "out.y4m", "out.framemd5", "null:"} {
		src, err := decode.Open(context.Background(), decode.Params{Path: in})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		out := filepath.Join(t.TempDir(), name)
		switch name {
		case "null:":
			out = name
		case "out.framemd5":
			out = "md5:" + out
		}
		sink, err := encode.Open(context.Background(), encode.Params{Output: out, Streams: []*encode.StreamParams{src.Input().Video.Params}})
		if err != nil {
			t.Fatal(err)
		}
		if got := sink.Format("yuv420p"); got != "yuv420p" {
			t.Errorf("%s wants %s for yuv420p", name, got)
		}
		if n := sink.MaxHeld(); n != 0 {
			t.Errorf("%s holds %d", name, n)
		}
		write := func() error {
			f, err := src.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			return sink.Write(context.Background(), f)
		}
		if err := write(); err != nil {
			t.Fatal(err)
		}
		cancelled, cancel := context.WithCancel(context.Background())
		cancel()
		f, err := src.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err := sink.Write(cancelled, f); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", name, err)
		}
		if err := sink.Finish(cancelled); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", name, err)
		}
		sink.Close()
		sink.Close()
		if err := write(); !errors.Is(err, encode.ErrClosed) {
			t.Errorf("%s: write after close: %v", name, err)
		}
		if err := sink.Finish(context.Background()); !errors.Is(err, encode.ErrClosed) {
			t.Errorf("%s: finish after close: %v", name, err)
		}
		if err := sink.WritePacket(&frame.Packet{Stream: 0, Native: av.NewPacket()}); name == "out.mp4" && !errors.Is(err, encode.ErrClosed) {
			t.Errorf("%s: packet after close: %v", name, err)
		}
		if st := src.Stats(); st.Outstanding != 0 {
			t.Errorf("%s: %d frames were not released", name, st.Outstanding)
		}
	}
}

// TestTakesNoSuchFormat names the format that a container wants.
func TestTakesNoSuchFormat(t *testing.T) {
	for _, c := range []struct {
		out  string
		f    frame.PixelFormat
		want frame.PixelFormat
	}{
		{"x.mp4", "yuv420p", "yuv420p"}, {"x.mp4", "nv12", "nv12"}, {"x.mp4", "yuv444p12le", "yuv444p10le"},
		{"x.mp4", "rgb24", "yuv444p"}, {"x.mp4", "yuva420p", "yuv420p"}, {"x.mp4", "yuv420p10le", "yuv420p10le"},
		{"x.y4m", "nv12", "yuv420p"}, {"x.y4m", "gbrp", "yuv444p"}, {"x.y4m", "gray10le", "gray10le"},
		{"null:", "nv12", "nv12"}, {"x.mp4", "not a format", "not a format"},
	} {
		out := c.out
		if out != "null:" {
			out = filepath.Join(t.TempDir(), out)
		}
		sink, err := encode.Open(context.Background(), encode.Params{Output: out})
		if err != nil {
			t.Fatal(err)
		}
		if got := sink.Format(c.f); got != c.want {
			t.Errorf("%s wants %s for %s, not %s", c.out, got, c.f, c.want)
		}
		sink.Close()
	}
	in := avtest.Clip(t, "in.mkv", small, "-c:v", "ffv1", "-pix_fmt", "bgr0")
	if err := attempt(t, in, encode.Params{Output: filepath.Join(t.TempDir(), "x.y4m")}); err == nil {
		t.Error("y4m took bgr0")
	}
}
