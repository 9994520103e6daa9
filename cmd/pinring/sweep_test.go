package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every encoder into every container: what fits is written, with sound, and FFmpeg reads all of it; what does not fit is
// refused before an input is opened, in one line with a hint, and leaves nothing.
func TestEncodersAndContainers(t *testing.T) {
	holds := map[string]string{ // what FFmpeg 5.1 muxes so that it can be played
		"libx264": "mp4 mov mkv ts", "libx265": "mp4 mov mkv ts", "libsvtav1": "mp4 mkv webm", "libvpx-vp9": "mp4 mkv webm",
		"prores_ks": "mov mkv", "ffv1": "mkv", "mjpeg": "mp4 mov mkv",
	}
	codecs := map[string]string{"libx264": "h264", "libx265": "hevc", "libsvtav1": "av1", "libvpx-vp9": "vp9", "prores_ks": "prores", "ffv1": "ffv1", "mjpeg": "mjpeg"}
	quick := map[string][]string{"libvpx-vp9": {"--vopt", "deadline=realtime", "--vopt", "cpu-used=8"}, "libsvtav1": {"--preset", "13"},
		"libx264": {"--preset", "ultrafast"}, "libx265": {"--preset", "ultrafast"}}
	t.Setenv("PINRING_CONFIG", os.DevNull)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.mp4")
	ff(t, "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", in)
	for encoder, fits := range holds {
		for _, ext := range []string{"mp4", "mov", "mkv", "webm", "ts"} {
			out := filepath.Join(dir, encoder+"."+ext)
			var said bytes.Buffer
			args := append([]string{"run", in, "-o", out, "--vcodec", encoder, "--device", "cpu", "-q"}, quick[encoder]...)
			if !strings.Contains(" "+fits+" ", " "+ext+" ") {
				args[1] = filepath.Join(dir, "none.mp4")
				code := newApp(nowhere{}, &said, rooms).main(args)
				_, err := os.Stat(out)
				if lines := strings.Split(strings.TrimSpace(said.String()), "\n"); code != exitUsage || len(lines) != 2 || !strings.Contains(lines[0], "cannot hold "+codecs[encoder]) ||
					!strings.HasPrefix(lines[1], "hint: ") || err == nil {
					t.Errorf("%s into %s: exit code %d\n%s", encoder, ext, code, &said)
				}
				continue
			}
			if code := newApp(nowhere{}, &said, rooms).main(args); code != exitDone {
				t.Errorf("%s into %s: exit code %d\n%s", encoder, ext, code, &said)
				continue
			}
			got := strings.Join(ffprobed(t, "-count_frames", "-select_streams", "v:0", "-show_entries", "stream=codec_name,nb_read_frames", out), " ")
			sound := ffprobed(t, "-count_packets", "-select_streams", "a:0", "-show_entries", "stream=codec_name,nb_read_packets", out)
			if !strings.HasPrefix(got, codecs[encoder]+",10") || len(sound) == 0 {
				t.Errorf("%s in %s: ffprobe reads %q and sound %q", encoder, ext, got, sound)
			}
			ff(t, "-xerror", "-i", out, "-f", "null", "-")
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
