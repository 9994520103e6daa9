package main

import (
	"path/filepath"
	"testing"
)

// Sound that is copied keeps its place to the sample, also where a packet does not begin on a millisecond.
func TestCopiedSoundOfAPartIsExact(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.mp4")
	ff(t, "-f", "lavfi", "-i", "testsrc2=s=64x48:r=50:d=4", "-f", "lavfi", "-i", "sine=r=48000:d=4", "-c:v", "libx264", "-c:a", "aac", in)
	for _, ext := range []string{"mp4", "mov"} {
		out := filepath.Join(dir, "out."+ext)
		does(t, "run", in, "-o", out, "--start", "1.7", "--acodec", "copy")
		whole := ffprobed(t, "-select_streams", "a", "-show_entries", "packet=pts", in)
		part := ffprobed(t, "-select_streams", "a", "-show_entries", "packet=pts", out)
		// 1.7 s are 81,600 samples; packets have 1,024, and the first whole one behind that begins at 81,920.
		if len(part) == 0 || part[0] != "320" || len(whole) == 0 {
			t.Errorf("%s: the sound begins with sample %q, want 320", ext, part[:min(1, len(part))])
		}
	}
}
