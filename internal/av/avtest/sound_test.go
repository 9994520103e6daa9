package avtest_test

import (
	"context"
	"encoding/binary"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// sounds are the audio streams of a file.
func sounds(t *testing.T, file string) (out []*encode.StreamParams) {
	t.Helper()
	src, err := decode.Open(context.Background(), decode.Params{Path: file})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for _, s := range src.Input().Streams {
		if s.Kind == "audio" {
			out = append(out, s.Params)
		}
	}
	return out
}

// samples are a file's first sound at 48 kHz, mono, on the clock of the file: sample 0 is time 0.
func samples(t *testing.T, file string) []int16 {
	t.Helper()
	b, err := exec.Command("ffmpeg", "-v", "error", "-nostdin", "-i", file, "-map", "0:a:0", "-af", "aresample=async=1:min_hard_comp=0.001:first_pts=0",
		"-ac", "1", "-ar", "48000", "-f", "s16le", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	out := make([]int16, len(b)/2)
	for i := range out {
		out[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return out
}

// pulses are where the sound jumps up from silence, a tenth of a second apart at least.
func pulses(s []int16) (at []int) {
	for i := 0; i < len(s); i++ {
		if s[i] > 8000 {
			at = append(at, i)
			i += 4800
		}
	}
	return at
}

const pulseTrain = "aevalsrc='if(lt(mod(t+0.25,0.5),0.002),0.9,0)':s=48000:d=3"

// TestSoundInSync encodes pulses anew and finds them where they were, to the sample for a codec
// without loss, else within what a lossy codec smears.
func TestSoundInSync(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	in := avtest.Clip(t, "in.mkv", "testsrc2=size=64x64:rate=25:duration=3", "-f", "lavfi", "-i", pulseTrain, "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p",
		"-c:a", "pcm_s16le")
	want := pulses(samples(t, in))
	if len(want) != 6 {
		t.Fatalf("the source has pulses at %v", want)
	}
	for _, c := range []struct {
		codec, out string
		off        int
	}{{"flac", "out.mkv", 0}, {"flac", "out.mp4", 0}, {"aac", "out.mp4", 48}, {"aac", "out.mkv", 96}, {"libopus", "out.webm", 96}, {"copy", "out.mkv", 0}} {
		t.Run(c.codec+" in "+c.out, func(t *testing.T) {
			out, _ := everything(t, in, c.out, func(p *encode.Params) {
				p.ACodec = c.codec
				if c.out == "out.webm" {
					p.Preset, p.Opts = "", map[string]string{"deadline": "realtime", "cpu-used": "8"}
				}
			})
			lead := videoLead(t, out)
			got := pulses(samples(t, out))
			if len(got) != len(want) {
				t.Fatalf("pulses at %v, want %v", got, want)
			}
			for i := range got {
				if d := got[i] - lead - want[i]; d < -c.off || d > c.off {
					t.Errorf("pulse %d is %d samples off", i, d)
				}
			}
		})
	}
}

// videoLead is how many samples after 0 the video begins.
func videoLead(t *testing.T, file string) int {
	t.Helper()
	v := times(t, file)
	return int(math.Round(v[0] * 48000))
}

// TestSoundWithAGap: a hole in the source's time stamps stays silent, and what follows in its place.
func TestSoundWithAGap(t *testing.T) {
	in := avtest.Clip(t, "in.mkv", "testsrc2=size=64x64:rate=25:duration=3", "-f", "lavfi", "-i", pulseTrain, "-af", "aselect='not(between(t,1,1.6))'",
		"-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le")
	want := pulses(samples(t, in))
	out, _ := everything(t, in, "out.mkv", func(p *encode.Params) { p.ACodec = "flac" })
	got := pulses(samples(t, out))
	if len(want) != 5 || len(got) != len(want) {
		t.Fatalf("pulses at %v, want %v", got, want)
	}
	for i := range got {
		if d := got[i] - want[i]; d < -48 || d > 48 { // Matroska's milliseconds
			t.Errorf("pulse %d is %d samples off", i, d)
		}
	}
}

// TestLateStart keeps the distance between picture and sound of a file whose sound begins later.
func TestLateStart(t *testing.T) {
	in := avtest.Clip(t, "in.mp4", "testsrc2=size=64x64:rate=25:duration=2", "-itsoffset", "0.7", "-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000",
		"-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p", "-c:a", "aac")
	start := func(f string) float64 {
		s := avtest.FFprobe(t, "-select_streams", "a", "-show_entries", "stream=start_time", "-of", "csv=p=0", f)
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	want := start(in)
	for _, name := range []string{"out.mp4", "out.mkv"} {
		out, _ := everything(t, in, name, nil)
		if d := start(out) - times(t, out)[0] - want; math.Abs(d) > 0.0011 {
			t.Errorf("%s: the sound is %v s off", name, d)
		}
	}
}

// TestTenMinutes: nothing drifts.
func TestTenMinutes(t *testing.T) {
	in := avtest.Clip(t, "in.mp4", "color=black:size=16x16:rate=10:duration=600", "-f", "lavfi", "-i", "sine=duration=600:sample_rate=8000", "-c:v", "libx264",
		"-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac")
	last := func(f, stream string) float64 {
		s := avtest.FFprobe(t, "-select_streams", stream, "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0", f)
		end, first := 0.0, times(t, f)[0] // Matroska moves all streams so that none begins before 0
		for _, l := range strings.Fields(s) {
			v := strings.Split(strings.Trim(l, ","), ",")
			a, err := strconv.ParseFloat(v[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			end = max(end, a)
		}
		return end - first
	}
	for _, c := range []struct{ out, codec string }{{"copied.mp4", ""}, {"made.mp4", "aac"}, {"copied.mkv", ""}} {
		out, _ := everything(t, in, c.out, func(p *encode.Params) { p.ACodec = c.codec })
		if d := last(out, "v") - last(in, "v"); math.Abs(d) >= 0.001 {
			t.Errorf("%s: the video drifts by %v s", c.out, d)
		}
		if d := last(out, "a") - last(in, "a"); math.Abs(d) >= 0.001 {
			t.Errorf("%s: the sound drifts by %v s", c.out, d)
		}
	}
}
