package avtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// noted is the one note that holds a text; the test fails when there is another number of them.
func noted(t *testing.T, notes []string, part string) string {
	t.Helper()
	var found []string
	for _, n := range notes {
		if strings.Contains(n, part) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%q is in %d of the notes %q", part, len(found), notes)
	}
	return found[0]
}

// TestDamagedSound: packets that cannot be decoded are counted and said, and what comes behind them
// is still in its place.
func TestDamagedSound(t *testing.T) {
	in := avtest.Clip(t, "in.mp4", "testsrc2=size=64x64:rate=25:duration=3", "-f", "lavfi", "-i", pulseTrain, "-c:v", "libx264", "-pix_fmt", "yuv420p",
		"-c:a", "aac", "-b:a", "128k")
	want := pulses(samples(t, in))
	b, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	hurt := []int{30, 50, 51, 90}
	for i, l := range strings.Fields(avtest.FFprobe(t, "-select_streams", "a:0", "-show_entries", "packet=size,pos", "-of", "csv=p=0", in)) {
		var size, pos int
		if _, err := fmt.Sscanf(l, "%d,%d", &size, &pos); err != nil {
			t.Fatal(err)
		}
		for _, h := range hurt {
			if i == h {
				copy(b[pos:pos+size], strings.Repeat("\xff", size))
			}
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.mp4")
	if err := os.WriteFile(bad, b, 0o600); err != nil {
		t.Fatal(err)
	}
	var notes []string
	out, st := convert(t, bad, "out.mkv", func(p *encode.Params) {
		p.ACodec = "flac"
		p.Note = func(s string) { notes = append(notes, s) }
	})
	if st.Damaged != int64(len(hurt)) {
		t.Errorf("%d damaged packets are counted, want %d", st.Damaged, len(hurt))
	}
	if n := noted(t, notes, "damaged"); !strings.Contains(n, "audio stream 1 (aac) is damaged: 4 packets") {
		t.Errorf("said %q", n)
	}
	got := pulses(samples(t, out))
	if len(got) < 4 || len(got) > len(want) {
		t.Fatalf("pulses at %v, want %v", got, want)
	}
	for i, last := len(got)-1, len(want)-1; i >= len(got)-2; i, last = i-1, last-1 {
		if d := got[i] - want[last]; d < -96 || d > 96 {
			t.Errorf("behind the damage a pulse is %d samples off", d)
		}
	}
}

// TestBrokenSubtitles: text in an encoding that nobody can read is counted and said, not dropped
// silently; what can be read stays.
func TestBrokenSubtitles(t *testing.T) {
	for _, c := range []struct {
		name, second, said, left string
		damaged                  int64
	}{
		{"some", "fine", "1 packet could not be decoded: left out", "fine", 1},
		{"all", "na\xefve", "2 packets could not be decoded: the stream is empty", "", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			srt := filepath.Join(t.TempDir(), "s.srt")
			text := "1\n00:00:00,200 --> 00:00:00,400\ncaf\xe9\n\n2\n00:00:00,500 --> 00:00:00,700\n" + c.second + "\n"
			if err := os.WriteFile(srt, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			in := avtest.Clip(t, "in.mkv", "testsrc2=size=64x64:rate=25:duration=1", "-i", srt, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:s", "copy")
			var notes []string
			out, st := convert(t, in, "out.mp4", func(p *encode.Params) { p.Note = func(s string) { notes = append(notes, s) } })
			if n := noted(t, notes, "damaged"); !strings.Contains(n, c.said) || st.Damaged != c.damaged {
				t.Errorf("counted %d, said %q", st.Damaged, n)
			}
			got := avtest.FFmpeg(t, "-i", out, "-map", "0:s:0", "-f", "srt", "-")
			if !strings.Contains(got, c.left) || c.left == "" && strings.Contains(got, "-->") {
				t.Errorf("the subtitles are %q", got)
			}
			mkv, notes := everything(t, in, "out.mkv", nil) // copied, nothing is lost
			if len(notes) != 0 || !strings.Contains(rawSubtitles(t, mkv), "caf\xe9") {
				t.Errorf("copied: said %q", notes)
			}
		})
	}
}

// rawSubtitles are the bytes of the first subtitles, as they are in the file.
func rawSubtitles(t *testing.T, file string) string {
	return avtest.FFmpeg(t, "-i", file, "-map", "0:s:0", "-c", "copy", "-f", "data", "-")
}
