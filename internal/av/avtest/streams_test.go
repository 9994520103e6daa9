package avtest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// probe is what ffprobe says of a file.
type probe struct {
	Streams []struct {
		Name        string `json:"codec_name"`
		Kind        string `json:"codec_type"`
		Start       string `json:"start_time"`
		FieldOrder  string `json:"field_order"`
		Tag         string `json:"codec_tag_string"`
		Disposition map[string]int
		Tags        map[string]string
		SideData    []map[string]any `json:"side_data_list"`
	}
	Chapters []struct {
		Start string `json:"start_time"`
		End   string `json:"end_time"`
		Tags  map[string]string
	}
	Format struct {
		Duration string
		Tags     map[string]string
	}
}

func probed(t *testing.T, file string) (p probe) {
	t.Helper()
	if err := json.Unmarshal([]byte(avtest.FFprobe(t, "-show_streams", "-show_chapters", "-show_format", "-of", "json", file)), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// richClip has two languages of sound, subtitles, chapters, titles and an attachment.
func richClip(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	subs := write("s.srt", "1\n00:00:00,500 --> 00:00:01,250\nHello <i>there</i>\n\n2\n00:00:01,500 --> 00:00:02,000\nBye\n")
	meta := write("m.txt", ";FFMETADATA1\ntitle=A film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=First\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Second\n")
	font := write("f.ttf", "not really a font")
	return avtest.Clip(t, "rich.mkv", "testsrc2=size=160x120:rate=25:duration=2",
		"-f", "lavfi", "-i", "sine=duration=2:sample_rate=44100", "-f", "lavfi", "-i", "sine=frequency=880:duration=2", "-i", subs, "-i", meta,
		"-map", "0", "-map", "1", "-map", "2", "-map", "3", "-map_metadata", "4", "-map_chapters", "4",
		"-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a:0", "aac", "-c:a:1", "flac", "-c:s", "srt",
		"-metadata:s:a:0", "language=ger", "-metadata:s:a:1", "language=ita", "-metadata:s:a:1", "title=Commentary", "-metadata:s:s:0", "language=eng",
		"-disposition:a:0", "0", "-disposition:a:1", "default", "-disposition:s:0", "forced",
		"-attach", font, "-metadata:s:t:0", "mimetype=application/x-truetype-font")
}

// everything makes convert pass all streams through, and collects what is noted.
func everything(t *testing.T, in, name string, change func(*encode.Params)) (out string, notes []string) {
	t.Helper()
	out, _ = convert(t, in, name, func(p *encode.Params) {
		p.Note = func(s string) { notes = append(notes, s) }
		if change != nil {
			change(p)
		}
	})
	return out, notes
}

func codecsOf(p probe) string {
	var out []string
	for _, s := range p.Streams {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

// TestPassThrough looks with ffprobe at what came along into each container.
func TestPassThrough(t *testing.T) {
	in := richClip(t)
	for _, c := range []struct {
		out, streams, noted string
		codec               string
	}{
		{"out.mkv", "h264 aac flac subrip ttf", "", ""},
		{"out.mp4", "h264 aac flac mov_text bin_data", "subtitle stream 3 (subrip) is converted to mov_text|attachment stream 4 (ttf) is left out", ""},
		{"out.mov", "h264 aac aac mov_text bin_data", "audio stream 2 (flac) is encoded as aac|mov_text|left out", ""},
		{"out.webm", "vp9 opus opus webvtt", "audio stream 1 (aac) is encoded as libopus|audio stream 2|webvtt|left out", ""},
		{"out.ts", "h264 aac aac", "audio stream 2 (flac) is encoded as aac|subtitle stream 3 (subrip) is left out|left out", ""},
	} {
		t.Run(c.out, func(t *testing.T) {
			out, notes := everything(t, in, c.out, func(p *encode.Params) {
				if c.out == "out.webm" {
					p.Preset, p.Opts = "", map[string]string{"deadline": "realtime", "cpu-used": "8"}
				}
			})
			p := probed(t, out)
			if got := codecsOf(p); got != c.streams {
				t.Errorf("streams are %q, want %q", got, c.streams)
			}
			wanted := strings.FieldsFunc(c.noted, func(r rune) bool { return r == '|' })
			for i, w := range wanted {
				if i >= len(notes) || !strings.Contains(notes[i], w) {
					t.Errorf("noted %q, want %q at %d", notes, w, i)
				}
			}
			if len(notes) != len(wanted) {
				t.Errorf("%d notes, want %d: %q", len(notes), len(wanted), notes)
			}
			checkCompany(t, c.out, p)
		})
	}
}

func checkCompany(t *testing.T, name string, p probe) {
	t.Helper()
	ts := name == "out.ts"
	for i, lang := range []string{"ger", "ita"} {
		if got := p.Streams[1+i].Tags["language"]; got != lang {
			t.Errorf("audio %d speaks %q, want %q", i, got, lang)
		}
	}
	if ts {
		return // it has neither dispositions nor chapters
	}
	if a, b := p.Streams[1].Disposition["default"], p.Streams[2].Disposition["default"]; a != 0 || b != 1 {
		t.Errorf("default sound: %d %d", a, b)
	}
	if len(p.Chapters) != 2 || p.Chapters[1].Tags["title"] != "Second" || p.Chapters[1].Start != "1.000000" || p.Chapters[1].End != "2.000000" {
		t.Errorf("chapters: %+v", p.Chapters)
	}
	if got := p.Format.Tags["title"]; got != "A film" {
		t.Errorf("the title is %q", got)
	}
	if (name == "out.mkv" || name == "out.mp4") && p.Streams[3].Disposition["forced"] != 1 {
		t.Errorf("the subtitles' disposition: %v", p.Streams[3].Disposition)
	}
}

// TestSubtitleTexts converts back and forth, and compares text and times with what FFmpeg's program
// reads of the source.
func TestSubtitleTexts(t *testing.T) {
	in := richClip(t)
	mp4, _ := everything(t, in, "out.mp4", nil)
	mkv, _ := everything(t, mp4, "back.mkv", nil)
	read := func(f string) string { return avtest.FFmpeg(t, "-i", f, "-map", "0:s:0", "-f", "srt", "-") }
	if got, want := read(mkv), read(in); got != want {
		t.Errorf("subtitles became\n%s\nwant\n%s", got, want)
	}
}

// TestSoundCodecs: what is asked for is done, and what cannot be is refused with a hint.
func TestSoundCodecs(t *testing.T) {
	in := richClip(t)
	out, _ := everything(t, in, "out.mkv", func(p *encode.Params) { p.ACodec = "libopus" })
	if got := codecsOf(probed(t, out)); got != "h264 opus opus subrip ttf" {
		t.Errorf("streams are %q", got)
	}
	for name, c := range map[string]struct{ codec, out string }{
		"copy":    {"copy", "out.webm"},
		"unknown": {"acc", "out.mp4"},
		"video":   {"libx264", "out.mp4"},
		"misfit":  {"aac", "out.webm"},
	} {
		t.Run(name, func(t *testing.T) {
			p := encode.Params{Output: filepath.Join(t.TempDir(), c.out), ACodec: c.codec, Streams: sounds(t, in)}
			err := attempt(t, in, p)
			wantFault(t, err, nil)
		})
	}
}

// TestHDR carries the mastering display and the light of the content through encoders, and in the
// container where the encoder has no word for it.
func TestHDR(t *testing.T) {
	in := avtest.Clip(t, "hdr.mp4", "testsrc2=size=160x120:rate=25:duration=0.4", "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le",
		"-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "-x265-params",
		"log-level=error:hdr10=1:repeat-headers=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400")
	frameSide := func(f string) []string {
		s := avtest.FFprobe(t, "-select_streams", "v:0", "-read_intervals", "%+#1", "-show_entries",
			"frame_side_data=red_x,green_y,blue_y,white_point_x,min_luminance,max_luminance,max_content,max_average", "-of", "default=nw=1", f)
		var out []string
		for _, l := range strings.Fields(s) {
			name, v, _ := strings.Cut(l, "=")
			num, den, isRatio := strings.Cut(v, "/")
			if a, err := strconv.ParseFloat(num, 64); err == nil && isRatio { // codecs count in steps of their own
				b, _ := strconv.ParseFloat(den, 64)
				v = fmt.Sprintf("%.3f", a/b)
			}
			out = append(out, name+"="+v)
		}
		return out
	}
	want := frameSide(in)
	if len(want) != 8 {
		t.Fatalf("the source has %v", want)
	}
	for _, c := range []struct{ codec, out string }{
		{"libx265", "out.mp4"}, {"libx264", "out.mp4"}, {"libx265", "out.mkv"}, {"ffv1", "out.mkv"}, {"libx265", "out.ts"}, {"libsvtav1", "out.mp4"},
	} {
		out, _ := everything(t, in, c.out, func(p *encode.Params) {
			p.VCodec = c.codec
			if !strings.HasPrefix(c.codec, "libx26") {
				p.Preset = ""
			}
		})
		if c.codec == "libx264" && !strings.Contains(headersOf(t, out), "max_content_light_level") { // FFmpeg 5.1 shows it nowhere else
			t.Error("libx264's stream does not have the light of its content")
		}
		if c.codec == "ffv1" || c.codec == "libx264" {
			if p := probed(t, out); len(p.Streams[0].SideData) < 2 {
				t.Errorf("%s in %s: the container says %v", c.codec, c.out, p.Streams[0].SideData)
			}
			continue
		}
		if got := frameSide(out); !slices.Equal(got, want) {
			t.Errorf("%s in %s: %v, want %v", c.codec, c.out, got, want)
		}
	}
}

// headersOf is what FFmpeg's program reads in the headers of a coded stream.
func headersOf(t *testing.T, file string) string {
	t.Helper()
	out, err := exec.Command("ffmpeg", "-nostdin", "-i", file, "-map", "0:v:0", "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestTimecodeAndFields: a timecode becomes one again, and interlaced pictures stay so.
func TestTimecodeAndFields(t *testing.T) {
	in := avtest.Clip(t, "in.mov", "testsrc2=size=160x128:rate=25:duration=1", "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1",
		"-pix_fmt", "yuv420p", "-timecode", "10:20:30:05")
	out, _ := everything(t, in, "out.mov", nil)
	p := probed(t, out)
	if got := p.Streams[0].Tags["timecode"]; got != "10:20:30:05" {
		t.Errorf("the timecode is %q", got)
	}
	if last := p.Streams[len(p.Streams)-1]; last.Tag != "tmcd" {
		t.Errorf("the last track is %q", last.Tag)
	}
	if s := avtest.FFprobe(t, "-select_streams", "v", "-read_intervals", "%+#1", "-show_entries", "frame=interlaced_frame,top_field_first", "-of", "csv=p=0", out); !strings.HasPrefix(s, "1,1") {
		t.Errorf("interlaced, top field first: %q", s)
	}
}

// TestFastStart: the index comes before the data.
func TestFastStart(t *testing.T) {
	for _, name := range []string{"out.mp4", "out.mov"} {
		out, _ := everything(t, smallClip(t), name, nil)
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if moov, mdat := strings.Index(string(b), "moov"), strings.Index(string(b), "mdat"); moov < 0 || moov > mdat {
			t.Errorf("%s: moov at %d, mdat at %d", name, moov, mdat)
		}
	}
}
