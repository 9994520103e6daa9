package avtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// TestManySizes decodes a stream that changes its size 50 times, up and down.
func TestManySizes(t *testing.T) {
	var parts [][]byte
	for i, size := range []string{"160x120", "320x240", "96x64", "322x182", "64x352"} {
		codec := []string{"-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p"}
		b, err := os.ReadFile(avtest.Clip(t, fmt.Sprintf("%d.h264", i), "testsrc2=rate=25:duration=0.2:size="+size, codec...))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, b)
	}
	var all []byte
	for i := range 51 {
		all = append(all, parts[i*3%5]...)
	}
	file := filepath.Join(t.TempDir(), "sizes.h264")
	if err := os.WriteFile(file, all, 0o600); err != nil {
		t.Fatal(err)
	}
	same(t, file)
}

// TestDecoderWithoutSlots decodes AV1, whose decoder keeps its pictures in memory of its own.
func TestDecoderWithoutSlots(t *testing.T) {
	file := avtest.Clip(t, "a.mkv", "testsrc2=size=160x120:rate=25:duration=0.6", "-c:v", "libsvtav1", "-preset", "12", "-pix_fmt", "yuv420p")
	same(t, file)
	lender := &avtest.Lender{}
	if _, st := md5Of(t, file, 2); st.InSlots != 0 || st.Elsewhere != st.Decoded || st.Decoded != 15 || st.SlotsAsked != 0 {
		t.Errorf("%+v", st)
	}
	s, err := decode.Open(t.Context(), decode.Params{Path: file, Lender: lender})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if in := s.Input(); in.UsesSlots || in.Slots != 0 || len(lender.Requests()) != 0 {
		t.Errorf("slots were asked for, for a decoder that takes none: %+v", in)
	}
}

// TestStreams chooses among several tracks, and goes on when others appear.
func TestStreams(t *testing.T) {
	dir := t.TempDir()
	mov := filepath.Join(dir, "many.mov")
	subs := filepath.Join(dir, "a.srt")
	if err := os.WriteFile(subs, []byte("1\n00:00:00,000 --> 00:00:01,000\nhello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	avtest.FFmpeg(t, "-f", "lavfi", "-i", "sine=d=1", "-i", subs, "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1",
		"-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=1", "-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:a", "aac", "-c:s", "mov_text",
		"-c:v", "mjpeg", "-timecode", "01:00:00:00", "-disposition:v", "0", mov)
	for spec, width := range map[string]int{"": 160, "v:0": 160, "v:1": 320, "2": 160, "3": 320} {
		s, err := decode.Open(t.Context(), decode.Params{Path: mov, Stream: spec})
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.Next(t.Context())
		if err != nil || f.Width != width {
			t.Errorf("stream %q: %v, want a picture %d wide", spec, err, width)
		}
		f.Release()
		s.Close()
	}
	for _, spec := range []string{"0", "1", "4", "5", "6", "v:2"} { // sound, subtitle, timecode, none
		if s, err := decode.Open(t.Context(), decode.Params{Path: mov, Stream: spec}); err == nil {
			t.Errorf("stream %s was opened as video", spec)
			s.Close()
		}
	}
	var all []byte
	for i, args := range [][]string{{"-map", "0"}, {"-map", "0", "-map", "1", "-c:a", "mp2", "-output_ts_offset", "1"}} {
		part := filepath.Join(dir, fmt.Sprintf("%d.ts", i))
		avtest.FFmpeg(t, append(append([]string{"-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1",
			"-c:v", "mpeg2video"}, args...), part)...)
		b, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	grows := filepath.Join(dir, "grows.ts")
	if err := os.WriteFile(grows, all, 0o600); err != nil {
		t.Fatal(err)
	}
	same(t, grows)
}
