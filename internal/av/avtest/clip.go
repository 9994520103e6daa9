package avtest

import (
	"path/filepath"
	"runtime"
	"testing"
)

// Sample is the demo clip that the repository carries.
func Sample() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "..", "samples", "sample.mp4")
}

// Clip makes a file of FFmpeg's moving test picture. args are those between input and output.
func Clip(t testing.TB, name, source string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	all := append([]string{"-y", "-threads", "1", "-f", "lavfi", "-i", source}, args...)
	FFmpeg(t, append(all, out)...)
	return out
}

// FrameMD5 is what FFmpeg's program decodes of a file's first video stream.
func FrameMD5(t testing.TB, file string) []string {
	t.Helper()
	return Comparable(FFmpeg(t, "-noautorotate", "-i", file, "-map", "0:v:0",
		"-autoscale", "0", "-fps_mode", "passthrough", "-f", "framemd5", "-"))
}
