package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// ff runs FFmpeg's program, or skips the test where it is missing.
func ff(t *testing.T, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("the program ffmpeg is needed to make and to judge files")
	}
	c := exec.Command("ffmpeg", append([]string{"-v", "error", "-nostdin", "-y"}, args...)...)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("ffmpeg %q: %v\n%s", args, err, &said)
	}
	return string(out)
}

// ffprobed is what ffprobe says, one line for each thing.
func ffprobed(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("ffprobe", append([]string{"-v", "error", "-of", "csv=p=0"}, args...)...).Output()
	if err != nil {
		t.Fatalf("ffprobe %q: %v", args, err)
	}
	return strings.Fields(strings.ReplaceAll(string(out), ",\n", "\n"))
}

// does runs the program in this process and wants exit code 0. It gives what was said.
func does(t *testing.T, args ...string) string {
	t.Helper()
	t.Setenv("PINRING_CONFIG", os.DevNull)
	var said bytes.Buffer
	if code := newApp(nowhere{}, &said, rooms).main(append(args, "--device", "cpu")); code != exitDone {
		t.Fatalf("%q: exit code %d\n%s", args, code, &said)
	}
	return said.String()
}

func textFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// movingPicture is half a minute with a key frame each second.
var movingPicture = []string{"-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=30"}

var codedSmall = []string{"-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2", "-pix_fmt", "yuv420p"}

// srtOf is what FFmpeg's program reads of the subtitles, as times and texts.
func srtOf(t *testing.T, file string) string {
	t.Helper()
	var out []string
	for _, block := range strings.Split(strings.TrimSpace(ff(t, "-i", file, "-map", "0:s:0", "-f", "srt", "-")), "\n\n") {
		lines := strings.SplitN(block, "\n", 3)
		if len(lines) == 3 {
			out = append(out, lines[1]+" "+lines[2])
		}
	}
	return strings.Join(out, "\n")
}

// Subtitles of a part: what is still showing at its start is shown from there for the rest of its time, also
// when a search led behind it; what lasts beyond the end is shortened.
func TestSubtitlesOfAPart(t *testing.T) {
	srt := textFile(t, "s.srt", `1
00:00:01,000 --> 00:00:05,000
over

2
00:00:02,000 --> 00:00:12,500
long ago

3
00:00:09,600 --> 00:00:11,000
just before

4
00:00:10,500 --> 00:00:11,500
inside

5
00:00:13,000 --> 00:00:29,000
beyond

6
00:00:14,500 --> 00:00:15,000
later
`)
	all := "00:00:00,000 --> 00:00:02,500 long ago\n00:00:00,000 --> 00:00:01,000 just before\n" +
		"00:00:00,500 --> 00:00:01,500 inside\n00:00:03,000 --> 00:00:04,000 beyond"
	// mov_text shows one text at a time: FFmpeg ends each where the next one begins.
	single := "00:00:00,000 --> 00:00:00,500 just before\n00:00:00,500 --> 00:00:01,500 inside\n00:00:03,000 --> 00:00:04,000 beyond"
	for _, c := range []struct{ in, codec, out, want string }{
		{"in.mkv", "subrip", "out.mkv", all},
		{"in.mkv", "ass", "out.mkv", all},
		{"in.mkv", "ass", "out.webm", all},
		{"in.mp4", "mov_text", "out.mkv", single},
		{"in.mp4", "mov_text", "out.mp4", single},
	} {
		t.Run(c.codec+" "+c.out, func(t *testing.T) {
			dir := t.TempDir()
			in, out := filepath.Join(dir, c.in), filepath.Join(dir, c.out)
			ff(t, append(append(append([]string{}, movingPicture...), append([]string{"-i", srt}, codedSmall...)...), "-c:s", c.codec, in)...)
			options := []string{"run", in, "-o", out, "--start", "10", "--duration", "4"}
			if c.out == "out.webm" {
				options = append(options, "--vopt", "deadline=realtime", "--vopt", "cpu-used=8")
			}
			does(t, options...)
			if got := srtOf(t, out); got != c.want {
				t.Errorf("the subtitles are\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	t.Run("pipe", func(t *testing.T) { // nothing can be searched
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in.mkv"), filepath.Join(dir, "out.mkv")
		ff(t, append(append(append([]string{}, movingPicture...), append([]string{"-i", srt}, codedSmall...)...), "-c:s", "subrip", in)...)
		file, err := os.Open(in)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		code, talk := pinring(t, func(c *exec.Cmd) { c.Stdin = &onlyReader{file} }, "run", "-", "-o", out, "--start", "10", "--duration", "4")
		if got := srtOf(t, out); code != exitDone || got != all {
			t.Errorf("exit code %d, the subtitles are\n%s\nwant\n%s\n%s", code, got, all, talk)
		}
	})
}

// onlyReader hides that a reader is a file: what reads it gets a pipe.
type onlyReader struct{ f *os.File }

func (r *onlyReader) Read(p []byte) (int, error) { return r.f.Read(p) }

// pgs writes display sets of Presentation Graphics, the subtitles of Blu-rays, each as what it shows: a colour
// that fills the picture, or nothing.
type pgs struct {
	bytes.Buffer
	number uint16
}

func (p *pgs) segment(ms int, kind byte, fields ...any) {
	var body bytes.Buffer
	for _, f := range fields {
		binary.Write(&body, binary.BigEndian, f)
	}
	binary.Write(&p.Buffer, binary.BigEndian, []byte("PG"))
	binary.Write(&p.Buffer, binary.BigEndian, uint32(90*ms))
	binary.Write(&p.Buffer, binary.BigEndian, uint32(0))
	p.WriteByte(kind)
	binary.Write(&p.Buffer, binary.BigEndian, uint16(body.Len()))
	p.Write(body.Bytes())
}

const pgsWidth, pgsHeight = 64, 48

func (p *pgs) compose(ms int, state byte, objects byte, more ...any) {
	p.number++
	p.segment(ms, 0x16, append([]any{uint16(pgsWidth), uint16(pgsHeight), byte(0x10), p.number, state, byte(0), byte(0), objects}, more...)...)
}

var wholePicture = []any{uint16(0), uint16(0), uint16(pgsWidth), uint16(pgsHeight)}

// show begins an epoch with an object that fills the picture with one colour.
func (p *pgs) show(ms int, luma byte) {
	p.compose(ms, 0x80, 1, uint16(0), byte(0), byte(0), uint16(0), uint16(0))
	p.segment(ms, 0x17, append([]any{byte(1), byte(0)}, wholePicture...)...)
	p.palette(ms, luma)
	var rle []byte
	for range pgsHeight {
		rle = append(rle, 0, 0xc0, pgsWidth, 1, 0, 0)
	}
	size := len(rle) + 4
	p.segment(ms, 0x15, uint16(0), byte(0), byte(0xc0), byte(0), uint16(size), uint16(pgsWidth), uint16(pgsHeight), rle)
	p.segment(ms, 0x80)
}

func (p *pgs) palette(ms int, luma byte) {
	p.segment(ms, 0x14, byte(0), byte(p.number), []byte{1, luma, 128, 128, 255})
}

// fade changes the colour of the object that is shown: it refers to the set before.
func (p *pgs) fade(ms int, luma byte) {
	p.compose(ms, 0x00, 1, uint16(0), byte(0), byte(0), uint16(0), uint16(0))
	p.segment(ms, 0x17, append([]any{byte(1), byte(0)}, wholePicture...)...)
	p.palette(ms, luma)
	p.segment(ms, 0x80)
}

func (p *pgs) clear(ms int) {
	p.compose(ms, 0x00, 0)
	p.segment(ms, 0x17, append([]any{byte(1), byte(0)}, wholePicture...)...)
	p.segment(ms, 0x80)
}

// lumaAt is how bright the picture is, with its subtitles, as FFmpeg shows them, at 25 pictures a second.
func lumaAt(t *testing.T, file string) []byte {
	t.Helper()
	raw := ff(t, "-i", file, "-filter_complex", "[0:v][0:s]overlay=eof_action=pass,scale=1:1,format=gray,fps=25", "-f", "rawvideo", "-")
	return []byte(raw)
}

// Subtitles that are pictures stay until others replace them, and may need those before: what is on the screen
// at the start is there in the part.
func TestGraphicSubtitlesOfAPart(t *testing.T) {
	dir := t.TempDir()
	var p pgs
	p.clear(0)
	p.show(1000, 60)
	p.clear(4000)
	p.show(6000, 100)
	p.fade(8000, 200) // is on the screen at 10 s, and needs the set before
	p.clear(11000)
	p.show(12000, 150)
	p.clear(13000)
	sup := textFile(t, "s.sup", p.String())
	black := []string{"-f", "lavfi", "-i", "color=black:s=64x48:r=25:d=30", "-fix_sub_duration", "-i", sup, "-map", "0:v", "-map", "1:s"}
	for _, c := range []struct{ codec, in, out string }{
		{"copy", "in.mkv", "out.mkv"}, {"dvbsub", "in.mkv", "out.mkv"}, {"dvbsub", "in.ts", "out.ts"}, {"dvdsub", "in.mkv", "out.mkv"},
	} {
		t.Run(c.codec+" "+c.in, func(t *testing.T) {
			in, out := filepath.Join(dir, c.codec+c.in), filepath.Join(dir, c.codec+"-of-"+c.in+filepath.Ext(c.out))
			ff(t, append(append(append([]string{}, black...), codedSmall...), "-c:s", c.codec, in)...)
			does(t, "run", in, "-o", out, "--start", "10", "--duration", "4")
			whole, part := lumaAt(t, in), lumaAt(t, out)
			if len(part) < 95 {
				t.Fatalf("the part has %d pictures", len(part))
			}
			for _, at := range []int{5, 12, 20, 30, 40, 55, 70, 80, 95} { // not at the moments of change
				if at < len(part) && math.Abs(float64(part[at])-float64(whole[250+at])) > 24 {
					t.Errorf("picture %d is %d bright, in the whole file it is %d", at, part[at], whole[250+at])
				}
			}
			if whole[255] < 100 {
				t.Errorf("the test shows nothing: %d", whole[255])
			}
		})
	}
}

// Chapters of a part count from its start, are cut to it, and are left out where they lie outside.
func TestChaptersOfAPart(t *testing.T) {
	var text strings.Builder
	text.WriteString(";FFMETADATA1\n")
	for i, end := range []int{5, 9, 11, 13, 20, 30} {
		begin := []int{0, 5, 9, 11, 13, 20}[i]
		fmt.Fprintf(&text, "[CHAPTER]\nTIMEBASE=1/1000\nSTART=%d\nEND=%d\ntitle=c%d\n", begin*1000, end*1000, i)
	}
	meta := textFile(t, "m.txt", text.String())
	for _, ext := range []string{"mkv", "mp4", "mov"} {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in."+ext), filepath.Join(dir, "out."+ext)
		ff(t, append(append(append([]string{}, movingPicture...), "-i", meta, "-map_chapters", "1"), append(append([]string{}, codedSmall...), in)...)...)
		does(t, "run", in, "-o", out, "--start", "10", "--duration", "4")
		got := strings.Join(ffprobed(t, "-show_chapters", "-show_entries", "chapter=start_time,end_time:chapter_tags=title", out), " ")
		if want := "0.000000,1.000000,c2 1.000000,3.000000,c3 3.000000,4.000000,c4"; got != want {
			t.Errorf("%s: the chapters are %s, want %s", ext, got, want)
		}
	}
}

// ramp is a sound whose value tells its time: each millisecond has a level of its own.
const ramp = "aevalsrc='(floor(t*1000)+1)/32768':s=48000:d=30"

// firstAndLast are the first and last levels of a file's sound and where the first one stands, in milliseconds.
func firstAndLast(t *testing.T, file string) (first, last int, at float64) {
	t.Helper()
	raw := ff(t, "-i", file, "-map", "0:a:0", "-f", "s16le", "-")
	s := make([]int16, len(raw)/2)
	if err := binary.Read(strings.NewReader(raw), binary.LittleEndian, s); err != nil || len(s) == 0 {
		t.Fatal(err, len(s))
	}
	start := ffprobed(t, "-select_streams", "a:0", "-show_entries", "packet=pts_time", "-read_intervals", "%+#1", file)
	at, err := strconv.ParseFloat(strings.Trim(start[0], ","), 64)
	if err != nil {
		t.Fatal(err)
	}
	video := ffprobed(t, "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-read_intervals", "%+#9", file)
	lead := math.Inf(1)
	for _, v := range video {
		if f, err := strconv.ParseFloat(strings.Trim(v, ","), 64); err == nil {
			lead = min(lead, f)
		}
	}
	return int(s[0]) - 1, int(s[len(s)-1]) - 1, (at - lead) * 1000
}

// Sound of a part that is encoded anew begins and ends with it, to the sample; copied sound begins with the
// first packet that lies in it, at its place, as with FFmpeg's program.
func TestSoundOfAPart(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		in, gop  string
		encoders []string
	}{{"in.mkv", "25", []string{"flac", "pcm_s16le", ""}}, {"in.mkv", "1", []string{"flac"}}, {"in.mov", "25", []string{"pcm_s16le", ""}}} {
		in := filepath.Join(dir, c.gop+c.in)
		codec := []string{"-c:a", "flac", "-frame_size", "4608"}
		if c.in == "in.mov" {
			codec = []string{"-c:a", "pcm_s16le"}
		}
		args := append(append([]string{}, movingPicture...), "-f", "lavfi", "-i", ramp, "-sample_fmt", "s16")
		ff(t, append(append(append(append(args, codedSmall...), "-g", c.gop), codec...), in)...)
		for _, encoder := range c.encoders {
			out := filepath.Join(dir, "out"+encoder+c.gop+filepath.Ext(c.in))
			args := []string{"run", in, "-o", out, "--start", "10", "--duration", "3.21", "-y"}
			if encoder != "" {
				args = append(args, "--acodec", encoder)
			}
			does(t, args...)
			first, last, at := firstAndLast(t, out)
			if encoder == "" { // within a packet, and at its place
				if d := float64(first) - 10000 - at; first < 10000 || first > 10100 || math.Abs(d) > 1.5 {
					t.Errorf("%s copied: begins with %d at %v ms", c.in, first, at)
				}
				if last < 13209 || last > 13310 {
					t.Errorf("%s copied: ends with %d", c.in, last)
				}
				continue
			}
			if first != 10000 || math.Abs(at) > 1 || last != 13209 {
				t.Errorf("%s with a key frame each %s frames, %s: begins with %d at %v ms, ends with %d", c.in, c.gop, encoder, first, at, last)
			}
		}
	}
}

// The timecode of a part counts on from that of the whole, drop frames as well.
func TestTimecodeOfAPart(t *testing.T) {
	for _, c := range []struct{ rate, code, start, want string }{
		{"25", "10:20:30:05", "2", "10:20:32:05"},
		{"25", "10:20:30:05", "", "10:20:30:05"},
		{"25", "10:20:30:05", "1.01", "10:20:31:06"}, // the first picture is the one at 1.04
		{"30000/1001", "00:00:59;20", "1.001", "00:01:00;22"},
	} {
		for _, ext := range []string{"mov", "mp4", "mkv", "mkv to mov", "mkv to mkv"} {
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in.mov"), filepath.Join(dir, "out."+ext)
			if from, to, ok := strings.Cut(ext, " to "); ok {
				in, out = filepath.Join(dir, "in."+from), filepath.Join(dir, "out."+to)
			}
			ff(t, "-f", "lavfi", "-i", "testsrc2=s=64x48:r="+c.rate+":d=4", "-c:v", "mpeg4", "-timecode", c.code, "-metadata", "timecode="+c.code, in)
			args := []string{"run", in, "-o", out}
			if c.start != "" {
				args = append(args, "--start", c.start)
			}
			does(t, args...)
			got := ffprobed(t, "-show_entries", "stream_tags=timecode,TIMECODE:format_tags=timecode,TIMECODE", out)
			if len(got) == 0 || strings.Trim(got[0], ",") != c.want {
				t.Errorf("%s at %s from %q in %s: %q, want %s", c.code, c.rate, c.start, ext, got, c.want)
			}
		}
	}
}
