package avtest_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av/avtest"
)

// What is read from headers without decoding is what FFmpeg's program finds out by decoding.
func TestStreamsAsFFprobeSees(t *testing.T) {
	const picture, odd = "testsrc2=size=320x240:rate=25:duration=2", "testsrc2=size=321x241:rate=30000/1001:duration=2"
	h264 := func(args ...string) []string { return append([]string{"-c:v", "libx264"}, args...) }
	for _, c := range []struct {
		name, source string
		args         []string
	}{
		{"plain.mp4", picture, h264("-pix_fmt", "yuv420p")},
		{"no-b.mp4", picture, h264("-pix_fmt", "yuv420p", "-bf", "0")},
		{"odd.mov", odd, h264("-pix_fmt", "yuv444p")},
		{"deep.mp4", picture, h264("-pix_fmt", "yuv422p10le")},
		{"gray.mp4", picture, h264("-pix_fmt", "gray")},
		{"full.mp4", picture, h264("-pix_fmt", "yuvj420p")},
		{"hdr.mp4", picture, h264("-pix_fmt", "yuv420p10le", "-colorspace", "bt2020nc", "-color_primaries", "bt2020",
			"-color_trc", "smpte2084", "-color_range", "tv", "-chroma_sample_location", "topleft")},
		{"fields.mp4", picture, h264("-pix_fmt", "yuv420p", "-flags", "+ildct+ilme", "-x264-params", "tff=1")},
		{"sar.mp4", picture, h264("-pix_fmt", "yuv420p", "-vf", "setsar=4/3")},
		{"pieces.mp4", picture, h264("-pix_fmt", "yuv420p", "-movflags", "frag_keyframe+empty_moov")},
		{"in-band.mp4", picture, h264("-pix_fmt", "yuv420p", "-tag:v", "avc3")},
		{"prores.mov", picture, []string{"-c:v", "prores_ks", "-pix_fmt", "yuva444p10le", "-color_primaries", "bt709"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := avtest.Clip(t, c.name, c.source, c.args...)
			equalToFFprobe(t, opened(t, file).Video, file)
		})
	}
}

// The same of real files: of cameras and telephones, whose streams say less.
func TestStreamsOfRealFiles(t *testing.T) {
	for _, file := range avtest.Files(t) {
		if name := filepath.Base(file); strings.HasPrefix(name, "h264") && strings.HasSuffix(name, ".mp4") || strings.HasPrefix(name, "prores") {
			t.Run(name, func(t *testing.T) { equalToFFprobe(t, opened(t, file).Video, file) })
		}
	}
}

func opened(t *testing.T, file string) decode.Input {
	t.Helper()
	s, err := decode.Open(context.Background(), decode.Params{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.Input()
}

// equalToFFprobe compares a stream with the words of the program.
func equalToFFprobe(t *testing.T, v decode.Stream, file string) {
	t.Helper()
	said := map[string]string{}
	for line := range strings.Lines(avtest.FFprobe(t, "-select_streams", strconv.Itoa(v.Index), "-show_streams", "-of", "default=nw=1", file)) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		said[k] = v
	}
	word := func(s string) string { // "unknown", "unspecified", "reserved" is nothing
		if s == "" {
			return "unknown"
		}
		return s
	}
	rate := func(r frame.Rational) string { return strconv.Itoa(r.Num) + "/" + strconv.Itoa(r.Den) }
	for k, got := range map[string]string{
		"codec_name": v.Codec, "pix_fmt": string(v.Format),
		"width": strconv.Itoa(v.Width), "height": strconv.Itoa(v.Height), "has_b_frames": strconv.Itoa(v.Delay()),
		"color_range": word(v.Color.Range), "color_space": word(v.Color.Matrix), "color_primaries": word(v.Color.Primaries),
		"color_transfer": word(v.Color.Transfer), "avg_frame_rate": rate(v.AverageRate),
	} {
		want, ok := said[k]
		if !ok {
			want = "unknown"
		}
		if got != want {
			t.Errorf("%s: %q, ffprobe says %q", k, got, want)
		}
	}
}

// A first picture without a readable header is not the end of the file, and no message comes of it but those
// that decoding brings anyway.
func TestFirstHeaderIsSpoilt(t *testing.T) {
	file := avtest.Clip(t, "a.mp4", "testsrc2=size=320x240:rate=25:duration=2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "10")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at, size := firstPacket(t, file)
	spoilt := bytes.Clone(whole)
	for i := at; i < at+size; i++ {
		spoilt[i] = 0xff
	}
	broken := filepath.Join(t.TempDir(), "broken.mp4")
	if err := os.WriteFile(broken, spoilt, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := opened(t, broken).Video.Format, opened(t, file).Video.Format; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	equalToFFprobe(t, opened(t, broken).Video, broken)
}

func firstPacket(t *testing.T, file string) (at, size int) {
	t.Helper()
	words := strings.Split(strings.TrimSpace(avtest.FFprobe(t, "-select_streams", "v:0", "-show_entries", "packet=pos,size",
		"-read_intervals", "%+#1", "-of", "default=nw=1", file)), "\n")
	for _, w := range words {
		k, v, _ := strings.Cut(w, "=")
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		if k == "pos" {
			at = n
		} else {
			size = n
		}
	}
	return at, size
}
