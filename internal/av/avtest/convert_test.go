package avtest_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av/avtest"
)

// convert decodes a file and encodes it, sound copied, and returns the name of the result.
func convert(t *testing.T, in, name string, change func(*encode.Params)) (string, encode.Stats) {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	var sink *encode.Sink
	src, err := decode.Open(context.Background(), decode.Params{Path: in, Threads: 2, InFlight: 1, Lender: &avtest.Lender{},
		PassThrough: passes, Packets: func(p *frame.Packet) error { return sink.WritePacket(p) }})
	if err != nil {
		t.Fatal(err)
	}
	about := src.Input()
	p := encode.Params{Output: out, Input: in, Preset: "ultrafast", Threads: 2, Video: about.Video.Params, Metadata: about.Metadata, Chapters: about.Chapters}
	for _, s := range about.Streams {
		if passes(s) {
			p.Streams = append(p.Streams, s.Params)
		}
	}
	if change != nil {
		change(&p)
	}
	if sink, err = encode.Open(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	if err := avtest.Run(context.Background(), src, sink); err != nil {
		t.Fatal(err)
	}
	if st := src.Stats(); st.Outstanding != 0 {
		t.Errorf("%d frames were not released", st.Outstanding)
	}
	onlyFile(t, out)
	return out, sink.Stats()
}

// passes chooses what goes along with the video.
func passes(s decode.Stream) bool {
	return s.Kind == "audio" || s.Kind == "subtitle" || s.Kind == "attachment"
}

// onlyFile checks that nothing lies beside the file.
func onlyFile(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("beside %s lies %v", filepath.Base(path), entries)
	}
}

// times are the presentation times of a file's video, in seconds, in order, from 0.
func times(t *testing.T, file string) []float64 {
	t.Helper()
	out := avtest.FFprobe(t, "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time", "-of", "csv=p=0", file)
	var ts []float64
	for _, l := range strings.Fields(out) {
		v, err := strconv.ParseFloat(strings.Trim(l, ","), 64)
		if err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		ts = append(ts, v)
	}
	slices.Sort(ts)
	return ts
}

func equalTimes(a, b []float64, tolerance float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x-y <= tolerance && y-x <= tolerance })
}

// TestConvert checks, with FFmpeg's programs, that a converted file has the time stamps, the sound
// and the tags of its source, and that it decodes without an error.
func TestConvert(t *testing.T) {
	const source = "testsrc2=size=320x240:rate=25:duration=4"
	colour := []string{"-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709",
		"-color_trc", "bt709", "-color_range", "tv"}
	tone := []string{"-f", "lavfi", "-i", "sine=frequency=440:duration=4", "-c:a", "aac"}
	with := func(more ...string) []string { return append(slices.Concat(tone, colour), more...) }
	for _, c := range []struct {
		name      string
		args      []string
		out       string
		tolerance float64
	}{
		{"constant.mp4", with(), "out.mp4", 0},
		{"shape.mp4", with("-vf", "setsar=4/3"), "out.mp4", 0},
		{"variable.mkv", with("-vf", "select='not(between(mod(n,10),3,6))'", "-fps_mode", "vfr"), "out.mp4", 0},
		{"ntsc.mp4", with("-vf", "fps=30000/1001"), "out.mov", 0},
		{"stream.ts", with(), "out.mp4", 0.000_02}, // ffprobe prints microseconds
		{"constant.mkv", with(), "out.mkv", 0.000_6},
	} {
		t.Run(c.name+" to "+c.out, func(t *testing.T) {
			in := avtest.Clip(t, c.name, source, c.args...)
			out, st := convert(t, in, c.out, nil)
			checkConverted(t, in, out, st, c.tolerance)
		})
	}
}

func checkConverted(t *testing.T, in, out string, st encode.Stats, tolerance float64) {
	t.Helper()
	want, got := times(t, in), times(t, out)
	first := 0.0
	if strings.HasSuffix(in, ".ts") { // its clock does not begin at 0
		first = want[0] - got[0]
	}
	for i := range want {
		want[i] -= first
	}
	if !equalTimes(got, want, tolerance) {
		t.Errorf("time stamps differ:\n got %v\nwant %v", got, want)
	}
	if int(st.Frames) != len(want) || st.CopiedToEncoder != 0 || st.AdjustedTimes != 0 {
		t.Errorf("stats %+v for %d frames", st, len(want))
	}
	if info, err := os.Stat(out); err != nil || st.Bytes != info.Size() {
		t.Errorf("%d bytes are claimed, %v, %v", st.Bytes, info, err)
	}
	tags := func(f string) string {
		return avtest.FFprobe(t, "-select_streams", "v:0", "-show_entries",
			"stream=width,height,pix_fmt,sample_aspect_ratio,color_range,color_space,color_transfer,color_primaries", "-of", "compact", f)
	}
	lastLine := func(s string) string { // a transport stream is listed by programs, too
		lines := strings.Split(strings.TrimSpace(s), "\n")
		return lines[len(lines)-1]
	}
	if a, b := lastLine(tags(in)), lastLine(tags(out)); a != b {
		t.Errorf("tags differ:\n got %s\nwant %s", b, a)
	}
	sound := func(f string) string {
		return avtest.FFmpeg(t, "-i", f, "-map", "0:a?", "-c", "copy", "-f", "streamhash", "-hash", "md5", "-")
	}
	if !strings.HasSuffix(in, ".ts") { // .ts has headers before each packet
		if a, b := sound(in), sound(out); a != b {
			t.Errorf("sound differs: %q, want %q", b, a)
		}
	}
	avtest.FFmpeg(t, "-xerror", "-i", out, "-f", "null", "-")
}

// TestConvertRealFiles does the same with real files that are odd in ways that matter to a muxer.
func TestConvertRealFiles(t *testing.T) {
	dir := avtest.Media(t)
	for name, tolerance := range map[string]float64{
		"h264_cursed_vfr_3026x1386.mp4":    0.000_02,
		"h264_rot90_480x270.mp4":           0.000_02,
		"h264_sar_2x1_640x360.mp4":         0.000_02,
		"hevc_iphone_live_rotm90_data.mov": 0.000_02,
	} {
		t.Run(name, func(t *testing.T) {
			in := filepath.Join(dir, name)
			out, _ := convert(t, in, "out.mp4", nil)
			if got, want := times(t, out), times(t, in); !equalTimes(got, want, tolerance) {
				t.Errorf("time stamps differ:\n got %v\nwant %v", got, want)
			}
			rotation := func(f string) string {
				return avtest.FFprobe(t, "-select_streams", "v:0", "-show_entries", "stream_side_data=rotation:stream=sample_aspect_ratio", "-of", "compact", f)
			}
			if a, b := rotation(in), rotation(out); strings.Contains(a, "rotation") && a != b {
				t.Errorf("rotation: %q, want %q", b, a)
			}
			avtest.FFmpeg(t, "-xerror", "-i", out, "-f", "null", "-")
		})
	}
}

// TestDurations checks the durations of a file with variable frame rate, the last frame's too.
func TestDurations(t *testing.T) {
	in := avtest.Clip(t, "v.mkv", "testsrc2=size=160x120:rate=25:duration=2", "-vf", "select='not(between(mod(n,10),3,6))'",
		"-fps_mode", "vfr", "-c:v", "ffv1")
	out, _ := convert(t, in, "out.mp4", func(p *encode.Params) { p.Preset = "medium" })
	duration := func(f string) float64 {
		s := strings.TrimSpace(avtest.FFprobe(t, "-show_entries", "format=duration", "-of", "csv=p=0", f))
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if a, b := duration(in), duration(out); b < a-0.002 || b > a+0.002 {
		t.Errorf("the file lasts %v s, its source %v s", b, a)
	}
}

// TestLossless encodes without loss and compares the pictures: what the encoder read from the slots
// is what was decoded into them.
func TestLossless(t *testing.T) {
	zero := 0.0
	for _, source := range []string{"testsrc2=size=322x242:rate=25:duration=2", "testsrc2=size=64x64:rate=25:duration=2"} {
		in := avtest.Clip(t, "in.mp4", source, "-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p")
		out, _ := convert(t, in, "out.mp4", func(p *encode.Params) { p.CRF = &zero; p.Preset = "medium" })
		if got, want := avtest.FrameMD5(t, out), avtest.FrameMD5(t, in); !slices.Equal(got, want) {
			t.Errorf("%s: the pictures differ", source)
		}
	}
}

// TestEncoders tries other encoders, and that none keeps more frames than the sink says.
func TestEncoders(t *testing.T) {
	in := avtest.Clip(t, "in.mp4", "testsrc2=size=320x240:rate=25:duration=2", "-c:v", "libx264", "-pix_fmt", "yuv420p")
	for _, c := range []struct{ codec, out string }{
		{"prores_ks", "out.mov"}, {"ffv1", "out.mkv"}, {"mpeg4", "out.mp4"}, {"mpeg2video", "out.mkv"}, {"png", "out.mov"},
		{"libx265", "out.mp4"}, {"libvpx-vp9", "out.webm"}, {"huffyuv", "out.mkv"}, {"mjpeg", "out.mov"},
	} {
		t.Run(c.codec, func(t *testing.T) { encodeWith(t, in, c.codec, c.out) })
	}
}

func encodeWith(t *testing.T, in, codec, name string) {
	src, err := decode.Open(context.Background(), decode.Params{Path: in, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	out := filepath.Join(t.TempDir(), name)
	sink, err := encode.Open(context.Background(), encode.Params{Output: out, VCodec: codec, Threads: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	limit, most := sink.MaxHeld(), int64(0)
	want := sink.Format("yuv420p")
	for range 50 {
		f, err := src.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if want != f.Format {
			f.Release()
			t.Skipf("%s wants %s: it needs a conversion that is not tested here", codec, want)
		}
		if err := sink.Write(context.Background(), f); err != nil {
			t.Fatal(err)
		}
		most = max(most, src.Stats().Outstanding)
	}
	if most > int64(limit) {
		t.Errorf("%d frames were held, MaxHeld says %d", most, limit)
	}
	if now := sink.MaxHeld(); now > limit {
		t.Errorf("MaxHeld was %d before the first frame, and is %d", limit, now)
	}
	if err := sink.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := len(times(t, out)); n != 50 {
		t.Errorf("%d frames, want 50", n)
	}
}

// TestY4M compares with what FFmpeg's program writes, byte for byte.
func TestY4M(t *testing.T) {
	for _, c := range []struct{ source, format string }{
		{"testsrc2=size=320x240:rate=25:duration=1", "yuv420p"},
		{"testsrc2=size=321x241:rate=30000/1001:duration=1,format=yuv444p", "yuv444p"},
		{"testsrc2=size=64x48:rate=50:duration=1,setsar=4/3", "yuv422p10le"},
		{"testsrc2=size=64x48:rate=50:duration=1", "gray"},
	} {
		in := avtest.Clip(t, "in.mkv", c.source, "-c:v", "ffv1", "-pix_fmt", c.format)
		out, _ := convert(t, in, "out.y4m", nil)
		ref := filepath.Join(t.TempDir(), "ref.y4m")
		avtest.FFmpeg(t, "-i", in, "-fps_mode", "passthrough", "-strict", "-1", "-f", "yuv4mpegpipe", ref)
		a, err := os.ReadFile(ref)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, b) {
			t.Errorf("%s: %d bytes, want %d, or other bytes", c.format, len(b), len(a))
		}
	}
}

// TestPacketsFromElsewhere brings all packets from another goroutine, before the first frame and
// between frames.
func TestPacketsFromElsewhere(t *testing.T) {
	in := avtest.Clip(t, "in.mp4", "testsrc2=size=160x120:rate=25:duration=3", "-f", "lavfi", "-i", "sine=duration=3",
		"-c:v", "libx264", "-c:a", "aac", "-pix_fmt", "yuv420p")
	var mu sync.Mutex
	var packets []*frame.Packet
	src, err := decode.Open(context.Background(), decode.Params{Path: in, Packets: func(p *frame.Packet) error {
		mu.Lock()
		defer mu.Unlock()
		packets = append(packets, p)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var frames []*frame.Frame
	for {
		f, err := src.Next(context.Background())
		if err != nil {
			break
		}
		frames = append(frames, f)
	}
	out := filepath.Join(t.TempDir(), "out.mp4")
	about := src.Input()
	sink, err := encode.Open(context.Background(), encode.Params{Output: out, Preset: "ultrafast", Video: about.Video.Params,
		Streams: []*encode.StreamParams{about.Streams[1].Params}})
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	half := len(packets) / 2
	for _, p := range packets[:half] {
		if err := sink.WritePacket(p); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, p := range packets[half:] {
			if err := sink.WritePacket(p); err != nil {
				t.Error(err)
			}
		}
	})
	for _, f := range frames {
		if err := sink.Write(context.Background(), f); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
	if err := sink.Finish(context.Background()); err != nil {
		t.Fatal(err)
	}
	sound := func(f string) string {
		return avtest.FFmpeg(t, "-i", f, "-map", "0:a", "-c", "copy", "-f", "framemd5", "-")
	}
	if a, b := avtest.Comparable(sound(in)), avtest.Comparable(sound(out)); !slices.Equal(a, b) {
		t.Errorf("sound differs:\n got %v\nwant %v", b, a)
	}
}
