package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fieldsOf is what ffprobe says of a file's pictures: whether they are interlaced, and which field is
// first, in the words of the stream and of each picture that differs from the one before.
func fieldsOf(t *testing.T, file string) (stream string, pictures []string) {
	t.Helper()
	show := func(args ...string) string {
		b, err := exec.Command("ffprobe", append(append([]string{"-v", "error", "-select_streams", "v:0"}, args...), "-of", "default=nw=1:nk=1", file)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	lines := bufio.NewScanner(strings.NewReader(show("-show_entries", "frame=interlaced_frame,top_field_first")))
	for lines.Scan() {
		p := lines.Text()
		if !lines.Scan() {
			t.Fatalf("%s: half an answer", file)
		}
		if p += lines.Text(); len(pictures) == 0 || pictures[len(pictures)-1] != p {
			pictures = append(pictures, p)
		}
	}
	return strings.TrimSpace(show("-show_entries", "stream=field_order")), pictures
}

// interlacedInputs are interlaced the two ways round, coded by two encoders: MPEG-2 with interlaced
// DCT, and H.264 with MBAFF.
func interlacedInputs(t *testing.T) map[string]string {
	t.Helper()
	source := []string{"-f", "lavfi", "-i", "testsrc2=s=160x128:r=50:d=1", "-pix_fmt", "yuv420p"}
	file := func(name string, args ...string) string {
		return needsFFmpeg(t, append(append(append([]string{}, source...), args...), name)...)
	}
	return map[string]string{
		"mpeg2 top":    file("top.ts", "-vf", "tinterlace=interleave_top", "-c:v", "mpeg2video", "-q:v", "3", "-flags", "+ildct+ilme", "-top", "1"),
		"mbaff bottom": file("bottom.mp4", "-vf", "tinterlace=interleave_bottom", "-c:v", "libx264", "-preset", "fast", "-x264-params", "bff=1"),
	}
}

// Pictures whose two fields stay apart are coded as interlaced, with the field first that was; those
// whose lines were mixed are coded as progressive.
func TestFieldsOfTheResult(t *testing.T) {
	encoders := map[string][]string{
		"out.mp4": {"--preset", "ultrafast"}, "out.mpg": {"--vcodec", "mpeg2video"}, "out.mov": {"--vcodec", "prores_ks"},
		"out.mkv": {"--vcodec", "ffv1"},
	}
	for kind, in := range interlacedInputs(t) {
		_, before := fieldsOf(t, in)
		if want := []string{"1" + map[bool]string{true: "1", false: "0"}[strings.HasSuffix(kind, "top")]}; !slices.Equal(before, want) {
			t.Fatalf("%s: the input's pictures are %v, want %v", kind, before, want)
		}
		other := map[string]string{"11": "10", "10": "11"}[before[0]]
		for chain, want := range map[string]string{
			"": before[0], "negate": before[0], "hflip": before[0], "scale=96:128": before[0], "vflip": other,
			"scale=160:96": "00", "transpose": "00", "scale=160:64,scale=160:128": "00",
		} {
			for name, encoder := range encoders {
				if chain != "scale=160:96" && chain != "" && name != "out.mp4" {
					continue // one encoder tells for each chain
				}
				out := filepath.Join(t.TempDir(), name)
				code, talk := pinring(t, nil, append([]string{"run", in, "-o", out, "-f", chain}, encoder...)...)
				if code != exitDone {
					t.Fatalf("%s, %q to %s: exit code %d: %s", kind, chain, name, code, talk)
				}
				stream, got := fieldsOf(t, out)
				if len(got) != 1 || got[0] != want || (want == "00") != (stream == "progressive" || stream == "unknown") {
					t.Errorf("%s, %q to %s: pictures are %v, the stream %s; want %s", kind, chain, name, got, stream, want)
				}
			}
		}
	}
}

// A camera's interlaced pictures, two fields in a packet each, stay interlaced in the files that people make of them.
func TestFieldsOfACamera(t *testing.T) {
	dir := os.Getenv("PINRING_MEDIA")
	if dir == "" {
		t.Skip("PINRING_MEDIA names no folder")
	}
	in := filepath.Join(dir, "h264_avchd_1080i.mts")
	_, want := fieldsOf(t, in)
	for name, encoder := range map[string][]string{"out.mp4": {"--preset", "ultrafast"}, "out.ts": {"--preset", "ultrafast"}, "out.mov": {"--vcodec", "prores_ks"}} {
		out := filepath.Join(t.TempDir(), name)
		if code, talk := pinring(t, nil, append([]string{"run", in, "-o", out, "--frames", "4"}, encoder...)...); code != exitDone {
			t.Fatalf("exit code %d: %s", code, talk)
		}
		if stream, got := fieldsOf(t, out); !slices.Equal(got, want) || got[0] != "11" || stream == "progressive" {
			t.Errorf("%s: pictures are %v, the stream %s; the source's %v", name, got, stream, want)
		}
	}
}

// Pictures that a camera wrote as two fields each last as long as both, the last one too, also when a
// filter has made them progressive.
func TestPicturesOfTwoFieldsLastLong(t *testing.T) {
	dir := os.Getenv("PINRING_MEDIA")
	if dir == "" {
		t.Skip("PINRING_MEDIA names no folder")
	}
	out := filepath.Join(t.TempDir(), "out.mp4")
	if code, talk := pinring(t, nil, "run", filepath.Join(dir, "h264_avchd_1080i.mts"), "-o", out, "-f", "scale=320:180", "--preset", "ultrafast"); code != exitDone {
		t.Fatalf("exit code %d: %s", code, talk)
	}
	b, err := exec.Command("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=avg_frame_rate", "-of", "csv=p=0", out).Output()
	if got := strings.TrimSpace(string(b)); err != nil || got != "30000/1001" {
		t.Errorf("the average rate is %s (%v)", got, err)
	}
}
