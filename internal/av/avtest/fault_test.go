package avtest_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

const small = "testsrc2=size=320x240:rate=25:duration=2"

func smallClip(t *testing.T) string {
	return avtest.Clip(t, "in.mp4", small, "-c:v", "libx264", "-pix_fmt", "yuv420p")
}

// attempt converts and returns the error, which must be the sink's; it checks that all frames came
// home, whatever happened.
func attempt(t *testing.T, in string, p encode.Params) error {
	t.Helper()
	lender := &avtest.Lender{}
	st, _, err := avtest.Convert(context.Background(), decode.Params{Path: in, Threads: 2, Lender: lender}, p)
	if st.Outstanding != 0 {
		t.Errorf("%d frames were not released", st.Outstanding)
	}
	if left, _, err := lender.Lent(); left != 0 || err != nil {
		t.Errorf("%d slots did not come back, %v", left, err)
	}
	return err
}

func wantFault(t *testing.T, err, want error) {
	t.Helper()
	var e *encode.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *encode.Error", err)
	}
	if want != nil && !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	if e.Hint == "" || !strings.Contains(err.Error(), e.Output) {
		t.Errorf("%q, hint %q: no help", err, e.Hint)
	}
}

func TestOutputFaults(t *testing.T) {
	in := smallClip(t)
	dir := t.TempDir()
	exists := filepath.Join(dir, "exists.mp4")
	if err := os.WriteFile(exists, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		p    encode.Params
		want error
	}{
		"no folder":       {encode.Params{Output: filepath.Join(dir, "no", "out.mp4")}, fs.ErrNotExist},
		"exists":          {encode.Params{Output: exists}, encode.ErrExists},
		"is a folder":     {encode.Params{Output: dir + "/"}, nil},
		"no kind":         {encode.Params{Output: filepath.Join(dir, "out.doc")}, nil},
		"no encoder":      {encode.Params{Output: filepath.Join(dir, "out.mp4"), VCodec: "libx999"}, nil},
		"no option":       {encode.Params{Output: filepath.Join(dir, "out.mp4"), Opts: map[string]string{"crff": "3"}}, nil},
		"bad preset":      {encode.Params{Output: filepath.Join(dir, "out.mp4"), Preset: "fastest"}, nil},
		"md5 exists":      {encode.Params{Output: "md5:" + exists}, encode.ErrExists},
		"y4m to a folder": {encode.Params{Output: filepath.Join(dir, "no", "out.y4m")}, fs.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) { wantFault(t, attempt(t, in, c.p), c.want) })
	}
	if b, err := os.ReadFile(exists); err != nil || string(b) != "precious" {
		t.Errorf("the file that existed holds %q, %v", b, err)
	}
	onlyFile(t, exists)
}

func TestNeverOverInput(t *testing.T) {
	in := smallClip(t)
	dir := filepath.Dir(in)
	before, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	hard, soft := filepath.Join(dir, "hard.mp4"), filepath.Join(dir, "soft.mp4")
	if err := errors.Join(os.Link(in, hard), os.Symlink(in, soft)); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{in, hard, soft, filepath.Join(dir, ".", "in.mp4")} {
		for _, over := range []bool{false, true} {
			wantFault(t, attempt(t, in, encode.Params{Output: out, Input: in, Overwrite: over}), encode.ErrIsInput)
		}
	}
	if after, err := os.ReadFile(in); err != nil || string(after) != string(before) {
		t.Errorf("the input changed, %v", err)
	}
}

// TestFullDisk writes to the device that is always full.
func TestFullDisk(t *testing.T) {
	in := smallClip(t)
	for _, name := range []string{"out.y4m", "out.mp4", "out.mkv"} {
		out := filepath.Join(t.TempDir(), name)
		if err := os.Symlink("/dev/full", out); err != nil {
			t.Fatal(err)
		}
		wantFault(t, attempt(t, in, encode.Params{Output: out, Preset: "ultrafast"}), syscall.ENOSPC)
	}
	wantFault(t, attempt(t, in, encode.Params{Output: "md5:/dev/full"}), syscall.ENOSPC)
}

func TestOverwrite(t *testing.T) {
	in := smallClip(t)
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.mp4"), filepath.Join(dir, "link.mp4")
	if err := errors.Join(os.WriteFile(real, []byte("old"), 0o600), os.Symlink(real, link)); err != nil {
		t.Fatal(err)
	}
	// Given up half way, the old file stays.
	src, err := decode.Open(context.Background(), decode.Params{Path: in})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	sink, err := encode.Open(context.Background(), encode.Params{Output: link, Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	f, err := src.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Write(context.Background(), f); err != nil {
		t.Fatal(err)
	}
	sink.Close()
	if b, err := os.ReadFile(real); err != nil || string(b) != "old" {
		t.Errorf("given up, the file holds %q, %v", b, err)
	}
	if err := attempt(t, in, encode.Params{Output: link, Overwrite: true, Preset: "ultrafast"}); err != nil {
		t.Fatal(err)
	}
	if n := len(times(t, real)); n != 50 {
		t.Errorf("%d frames, want 50", n)
	}
	if to, err := os.Readlink(link); err != nil || to != real {
		t.Errorf("the link points to %q, %v", to, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left over: %v", entries)
	}
}

// TestAppearsMeanwhile makes a file of the output's name while it is being written.
func TestAppearsMeanwhile(t *testing.T) {
	in := smallClip(t)
	out := filepath.Join(t.TempDir(), "out.mp4")
	src, err := decode.Open(context.Background(), decode.Params{Path: in})
	if err != nil {
		t.Fatal(err)
	}
	sink, err := encode.Open(context.Background(), encode.Params{Output: out, Preset: "ultrafast"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	err = avtest.Run(context.Background(), src, sink)
	if !errors.Is(err, encode.ErrExists) {
		t.Errorf("got %v, want %v", err, encode.ErrExists)
	}
	if b, _ := os.ReadFile(out); string(b) != "other" {
		t.Errorf("the other file holds %q", b)
	}
	onlyFile(t, out)
}

func TestNothingWritten(t *testing.T) {
	for _, name := range []string{"out.mp4", "out.y4m", "md5:"} {
		out := filepath.Join(t.TempDir(), "out.mp4")
		if name == "md5:" {
			out = "md5:" + out
		}
		sink, err := encode.Open(context.Background(), encode.Params{Output: out})
		if err != nil {
			t.Fatal(err)
		}
		if err := sink.Finish(context.Background()); !errors.Is(err, encode.ErrNoFrames) {
			t.Errorf("%s: got %v", name, err)
		}
		sink.Close()
		if _, err := os.Stat(strings.TrimPrefix(out, "md5:")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: something was left", name)
		}
	}
}

// TestSizeChange runs into a picture of another size.
func TestSizeChange(t *testing.T) {
	var all []byte
	for _, size := range []string{"160x120", "320x240"} {
		b, err := os.ReadFile(avtest.Clip(t, "x.h264", "testsrc2=rate=25:duration=1:size="+size, "-c:v", "libx264", "-pix_fmt", "yuv420p"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	in := filepath.Join(t.TempDir(), "in.h264")
	if err := os.WriteFile(in, all, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"out.mp4", "out.y4m"} {
		err := attempt(t, in, encode.Params{Output: filepath.Join(t.TempDir(), name)})
		if !errors.Is(err, encode.ErrSizeChange) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := attempt(t, in, encode.Params{Output: "null:"}); err != nil {
		t.Error(err)
	}
}

// TestQueueLimit brings more packets than may wait for the first frame.
func TestQueueLimit(t *testing.T) {
	in := avtest.Clip(t, "in.mp4", small, "-f", "lavfi", "-i", "sine=duration=2", "-c:v", "libx264", "-c:a", "aac")
	var sink *encode.Sink
	src, err := decode.Open(context.Background(), decode.Params{Path: in})
	if err != nil {
		t.Fatal(err)
	}
	sound := src.Input().Streams[1].Params
	src.Close()
	out := filepath.Join(t.TempDir(), "out.mp4")
	sink, err = encode.Open(context.Background(), encode.Params{Output: out, Streams: []*encode.StreamParams{sound}, QueueBytes: 500})
	if err != nil {
		t.Fatal(err)
	}
	defer sink.Close()
	if src, err = decode.Open(context.Background(), decode.Params{Path: in, Packets: sink.WritePacket}); err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for err == nil {
		f, e := src.Next(context.Background())
		if err = e; err == nil {
			f.Release()
		}
	}
	if !errors.Is(err, encode.ErrQueueFull) {
		t.Errorf("got %v, want %v", err, encode.ErrQueueFull)
	}
}

// TestSinkLeavesNoFiles opens and closes outputs many times.
func TestSinkLeavesNoFiles(t *testing.T) {
	in := smallClip(t)
	out := filepath.Join(t.TempDir(), "out.mp4")
	count := func() int {
		e, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc to look at")
		}
		return len(e)
	}
	before := 0
	for i := range 30 {
		if err := attempt(t, in, encode.Params{Output: out, Overwrite: true, Preset: "ultrafast"}); err != nil {
			t.Fatal(err)
		}
		if i == 5 {
			before = count()
		}
	}
	if after := count(); after > before {
		t.Errorf("%d files are open, %d before", after, before)
	}
	onlyFile(t, out)
}
