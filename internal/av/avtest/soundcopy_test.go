package avtest_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// ffmpegCopies has FFmpeg's program copy the sound into such a file, and says whether it can read it there.
func ffmpegCopies(t *testing.T, in, name, codec string) (out string, ok bool) {
	t.Helper()
	out = filepath.Join(t.TempDir(), name)
	if err := exec.Command("ffmpeg", "-v", "error", "-nostdin", "-i", in, "-map", "0:a", "-c", "copy", "-strict", "experimental", out).Run(); err != nil {
		return out, false
	}
	b, err := exec.Command("ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=codec_name", "-of", "default=nw=1:nk=1", out).Output()
	return out, err == nil && strings.Contains(string(b), codec)
}

// TestSoundIsCopiedWhereFFmpegCopies: into each container, and the same packets; what is not copied is said.
func TestSoundIsCopiedWhereFFmpegCopies(t *testing.T) {
	for codec, encoder := range map[string]string{"flac": "flac", "opus": "libopus", "pcm_s16le": "pcm_s16le", "pcm_s24le": "pcm_s24le",
		"ac3": "ac3", "mp3": "libmp3lame", "vorbis": "libvorbis", "alac": "alac"} {
		in := avtest.Clip(t, codec+".mkv", "testsrc2=size=32x32:rate=10:duration=0.3", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=0.3",
			"-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", encoder)
		for _, name := range []string{"out.mp4", "out.mov", "out.webm", "out.ts", "out.mkv"} {
			out, notes := everything(t, in, name, func(p *encode.Params) {
				if name == "out.webm" {
					p.Preset, p.Opts = "", map[string]string{"deadline": "realtime", "cpu-used": "8"}
				}
			})
			got := probed(t, out).Streams[1].Name
			theirs, want := ffmpegCopies(t, in, name, codec)
			if (got == codec) != want {
				t.Errorf("%s to %s: the sound is %s; FFmpeg copies it: %v", codec, name, got, want)
			}
			switch {
			case want && len(notes) > 0:
				t.Errorf("%s to %s: said %q", codec, name, notes)
			case !want:
				noted(t, notes, "audio stream 1 ("+codec+") is encoded as")
			case name != "out.ts": // which frames some codecs anew
				bytes := func(f string) string {
					return avtest.FFmpeg(t, "-i", f, "-map", "0:a", "-c", "copy", "-f", "data", "-")
				}
				if bytes(out) != bytes(theirs) {
					t.Errorf("%s to %s: the packets differ", codec, name)
				}
			}
		}
	}
}
