package avtest_test

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// part is what is asked for of a file, in FFmpeg's spelling.
type part struct{ start, duration string }

func (p part) times(t *testing.T) (start, duration time.Duration) {
	t.Helper()
	for s, d := range map[string]*time.Duration{p.start: &start, p.duration: &duration} {
		if s == "" {
			continue
		}
		v, err := time.ParseDuration(s + "s")
		if err != nil {
			t.Fatal(err)
		}
		*d = v
	}
	return start, duration
}

func (p part) args() (out []string) {
	if p.start != "" {
		out = append(out, "-ss", p.start)
	}
	if p.duration != "" {
		out = append(out, "-t", p.duration)
	}
	return out
}

// picture is one frame of the whole file: its exact time and its checksum.
type picture struct {
	at  int64 // since the start of the file, in the stream's time base
	sum string
}

// whole decodes a file without any seek, with the stream's own time base and clock.
func whole(t *testing.T, file string) (all []picture, tb *big.Rat) {
	t.Helper()
	tb = new(big.Rat)
	for _, l := range avtest.Comparable(avtest.FFmpeg(t, "-noautorotate", "-copyts", "-i", file, "-map", "0:v:0", "-autoscale", "0",
		"-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "framemd5", "-")) {
		if s, ok := strings.CutPrefix(l, "#tb 0: "); ok {
			tb.SetString(s)
		}
		if strings.HasPrefix(l, "#") {
			continue
		}
		f := strings.Split(l, ",")
		pts, err := strconv.ParseInt(strings.TrimSpace(f[2]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, picture{pts, f[5]})
	}
	start := strings.TrimSpace(avtest.FFprobe(t, "-show_entries", "format=start_time", "-of", "csv=p=0", file))
	for i := range all {
		all[i].at -= ticks(start, tb) // nothing where the file has no clock
	}
	return all, tb
}

// ticks is a time in the unit tb, rounded to the nearest, as FFmpeg does with times that are asked for.
func ticks(seconds string, tb *big.Rat) int64 {
	r, ok := new(big.Rat).SetString(seconds)
	if !ok {
		return 0
	}
	r.Add(r.Quo(r, tb), big.NewRat(1, 2))
	return new(big.Int).Div(r.Num(), r.Denom()).Int64()
}

// selected are the checksums of the pictures that belong to the part: those at start or later, until
// duration has passed since the first of them.
func selected(all []picture, tb *big.Rat, p part) (out []string) {
	start, length := ticks(p.start, tb), ticks(p.duration, tb)
	first := int64(-1)
	for _, f := range all {
		if p.start != "" && f.at < start {
			continue
		}
		if first < 0 {
			first = f.at
		}
		if p.duration != "" && f.at-first >= max(length, 1) {
			break
		}
		out = append(out, f.sum)
	}
	return out
}

func sumsOf(lines []string) (out []string) {
	for _, l := range lines {
		if !strings.HasPrefix(l, "#") {
			out = append(out, strings.Split(l, ",")[5])
		}
	}
	return out
}

func partOf(t *testing.T, file string, p part) []string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.framemd5")
	dp := decode.Params{Path: file, Stream: "v:0", Threads: 2}
	dp.Start, dp.Duration = p.times(t)
	if _, _, err := avtest.Convert(context.Background(), dp, encode.Params{Output: "md5:" + out}); err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return avtest.Comparable(string(b))
}

// checkPart compares with two things that know nothing of us: the pictures of the whole file that
// belong to the part, and, unless FFmpeg is known to go wrong, the lines that its program writes for
// the same part, time stamps included.
func checkPart(t *testing.T, file string, all []picture, tb *big.Rat, p part, wrong bool) {
	t.Helper()
	got := partOf(t, file, p)
	if want := selected(all, tb, p); !slices.Equal(sumsOf(got), want) {
		t.Errorf("start %s, duration %s: %d pictures, want %d, or others", p.start, p.duration, len(sumsOf(got)), len(want))
	}
	args := append(append([]string{"-noautorotate"}, p.args()...), "-i", file, "-map", "0:v:0", "-autoscale", "0",
		"-fps_mode", "passthrough", "-f", "framemd5", "-")
	want := avtest.Comparable(avtest.FFmpeg(t, args...))
	if i := firstDifference(got, want); i >= 0 && !wrong {
		t.Errorf("start %s, duration %s, line %d: %q, FFmpeg's program writes %q", p.start, p.duration, i, line(got, i), line(want, i))
	}
}

// TestPartOfRealFiles cuts real files to the frame. FFmpeg's program, too, is right about most.
func TestPartOfRealFiles(t *testing.T) {
	dir := avtest.Media(t)
	for _, c := range []struct {
		name  string
		wrong string // why FFmpeg's program gives something else
		parts []part
	}{
		{"h264_discard_first_keyframe_64x64.mp4", "", []part{{"0.5", "0.4"}, {"0.04", ""}, {"", "0.3"}}},
		{"h264_fragmented_bogus_duration.mp4", "", []part{{"0.5", "0.25"}, {"0.9", ""}}},
		{"h264_sar_2x1_640x360.mp4", "", []part{{"3.35", "0.5"}}},
		{"h264_two_videos_two_audios_subs.mp4", "", []part{{"7.01", "1.5"}}},
		{"h264_avi_bframes_no_pts.avi", "", []part{{"12.34", "0.6"}}},
		{"hevc_main10_hlg_848x464.mkv", "", []part{{"1.01", "0.5"}, {"3.5", ""}}},
		{"hevc_iphone_live_rotm90_data.mov", "", []part{{"0.6", "0.3"}}},
		{"vp9_10bit_odd_321x241.mp4", "", []part{{"0.5", "0.2"}}},
		{"av1_444_320x240.ivf", "", []part{{"2.5", "0.5"}}},
		{"mjpeg_640x480.mov", "", []part{{"0.72", "0.5"}}},
		{"gif_newtonscradle_200x150.gif", "", []part{{"0.333", "0.3"}}},
		{"flv1_268x156.flv", "", []part{{"0.2", "0.1"}}},
		{"theora_512x512_1fps.ogv", "", []part{{"3.5", "2"}}},
		{"theora_512x512_1fps.ogv", "its duration is rounded to nothing, which means to the end", []part{{"3.5", "0.4"}}},
		{"h264_vertical_16x4000.ts", "its seek ends behind the only key frame", []part{{"0.5", "0.4"}}},
		{"mpeg4_in_ps_848x464.mpg", "its seek ends between key frames", []part{{"1.01", "0.5"}}},
		{"hevc_316x240_sar_raw.h265", "it counts time from where its seek ended", []part{{"1.01", "0.5"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, c.name)
			all, tb := whole(t, file)
			for _, p := range c.parts {
				checkPart(t, file, all, tb, p, c.wrong != "")
			}
		})
	}
}

// TestPart cuts generated files with what makes it hard: open groups of pictures, pictures reordered
// over seconds, variable frame rate, a late start, no index, no time stamps.
func TestPart(t *testing.T) {
	const moving = "testsrc2=size=160x120:rate=25:duration=3"
	x264 := []string{"-c:v", "libx264", "-bf", "3", "-g", "30", "-pix_fmt", "yuv420p"}
	with := func(more ...string) []string { return append(slices.Clone(x264), more...) }
	for i, c := range []struct {
		name, source string
		args         []string
		wrong        bool
	}{
		{"bframes.mp4", moving, x264, false},
		{"open.mkv", moving, with("-x264-params", "open-gop=1"), false},
		{"open.mp4", moving, with("-x264-params", "open-gop=1"), false},
		{"slow.mp4", "testsrc2=size=160x120:rate=2:duration=20", with("-g", "8"), true}, // seeks to a key frame that is shown too late
		{"holes.mkv", moving, with("-vf", "select='not(between(mod(n,10),3,6))'", "-fps_mode", "vfr"), false},
		{"late.mp4", moving, with("-output_ts_offset", "7.3"), false},
		{"late.mkv", moving, with("-output_ts_offset", "100"), false},
		{"late.ts", moving, with("-output_ts_offset", "500"), true},
		{"mpeg2.ts", moving, []string{"-c:v", "mpeg2video", "-bf", "2", "-g", "12"}, true},
		{"mpeg2.mpg", moving, []string{"-c:v", "mpeg2video", "-bf", "2", "-g", "12"}, true},
		{"raw.264", moving, x264, true},
		{"mpeg4.avi", moving, []string{"-c:v", "mpeg4", "-bf", "2"}, true}, // begins behind the first key frame
		{"a.flv", moving, x264, true},                                      // ends before the first frame
		{"ffv1.mkv", moving, []string{"-c:v", "ffv1"}, false},
		{"a.y4m", moving, []string{"-pix_fmt", "yuv420p"}, false},
	} {
		t.Run(fmt.Sprint(i, c.name), func(t *testing.T) {
			file := avtest.Clip(t, c.name, c.source, c.args...)
			all, tb := whole(t, file)
			for _, p := range []part{{"1.19", "0.5"}, {"1.2", "0.04"}, {"0.02", ""}, {"", "0.61"}} {
				checkPart(t, file, all, tb, p, c.wrong)
			}
		})
	}
}
