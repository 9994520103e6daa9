package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/report"
)

// A decoder with threads may tell of damage in the last packets only when it is told that no more come. It is
// counted then, and the pictures that it still holds are shown.
func TestDamageAtTheEndOfAV1(t *testing.T) {
	whole := smallInput(t, "in.ivf", "testsrc2=s=320x240:r=25:d=2", "-c:v", "libsvtav1", "-preset", "12", "-pix_fmt", "yuv420p")
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 8 {
		cut := len(data)*(k+1)/20 + 3
		name := filepath.Join(t.TempDir(), "cut.ivf")
		if err := os.WriteFile(name, data[:len(data)-cut], 0o644); err != nil {
			t.Fatal(err)
		}
		packets := told(t, "ffprobe", "-v", "quiet", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", name)
		shown := strings.Count(told(t, "ffmpeg", "-v", "quiet", "-i", name, "-vsync", "passthrough", "-f", "framemd5", "-"), "\n0,")
		for _, threads := range []string{"1", "4"} {
			result := filepath.Join(t.TempDir(), "r.json")
			code, talk := pinring(t, nil, "run", name, "--decoder-threads", threads, "--json", result)
			var r report.Run
			text, err := os.ReadFile(result)
			if err != nil || json.Unmarshal(text, &r) != nil {
				t.Fatalf("%v: %s", err, talk)
			}
			if code != exitLost || r.Frames.Delivered != int64(shown) || r.Frames.Undecodable < 1 {
				t.Errorf("%d bytes cut, %s threads: exit %d, %d delivered, %d undecodable of %s packets; FFmpeg shows %d; %s",
					cut, threads, code, r.Frames.Delivered, r.Frames.Undecodable, strings.TrimSpace(packets), shown, talk)
			}
		}
	}
}

func told(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}
