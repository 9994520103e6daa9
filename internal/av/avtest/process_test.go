package avtest_test

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/pinring/pinring/internal/av/avtest"
)

// process converts a file in a process of its own, with standard input and output.
func process(t *testing.T, in, out string, stdin []byte) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var talk bytes.Buffer
	c := exec.Command(self)
	c.Env = append(os.Environ(), "AVTEST_CONVERT="+in, "AVTEST_OUTPUT="+out)
	c.Stdin, c.Stderr = bytes.NewReader(stdin), &talk
	b, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, talk.String())
	}
	return b
}

func TestStandardOutput(t *testing.T) {
	in := smallClip(t)
	got := avtest.Comparable(string(process(t, in, "md5:", nil)))
	if want := avtest.FrameMD5(t, in); !slices.Equal(got, want) {
		t.Errorf("md5: got\n%s", strings.Join(got, "\n"))
	}
	want := []byte(avtest.FFmpeg(t, "-i", in, "-fps_mode", "passthrough", "-f", "yuv4mpegpipe", "-"))
	if got := process(t, in, "-", nil); !bytes.Equal(got, want) {
		t.Errorf("y4m: %d bytes, want %d, or other bytes", len(got), len(want))
	}
}

func TestStandardInput(t *testing.T) {
	in := avtest.Clip(t, "in.mkv", small, "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p")
	b, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	got := avtest.Comparable(string(process(t, "-", "md5:", b)))
	if want := avtest.FrameMD5(t, in); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
