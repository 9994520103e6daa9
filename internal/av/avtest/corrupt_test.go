package avtest_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av/avtest"
)

// pairs are codecs in containers: eight that real files are often in.
var pairs = []struct {
	name string
	args []string
}{
	{"h264.mp4", []string{"-c:v", "libx264", "-bf", "2", "-g", "10"}},
	{"hevc.mkv", []string{"-c:v", "libx265", "-x265-params", "log-level=none:keyint=10"}},
	{"vp9.webm", []string{"-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "10"}},
	{"mpeg2.ts", []string{"-c:v", "mpeg2video", "-bf", "2", "-g", "10"}},
	{"mpeg4.avi", []string{"-c:v", "mpeg4", "-bf", "2", "-g", "10"}},
	{"prores.mov", []string{"-c:v", "prores_ks"}},
	{"mjpeg.avi", []string{"-c:v", "mjpeg"}},
	{"ffv1.mkv", []string{"-c:v", "ffv1"}},
}

const tiny = "testsrc2=size=96x64:rate=25:duration=1"

// corrupted spoils a file: bytes are changed, runs of them overwritten, taken out or doubled, and the end
// is cut off. Headers are hit as well as pictures.
func corrupted(whole []byte, seed uint64) []byte {
	rnd := rand.New(rand.NewPCG(seed, 7))
	b := append([]byte(nil), whole...)
	for range 1 + rnd.IntN(60) {
		b[rnd.IntN(len(b))] ^= byte(1 + rnd.IntN(255))
	}
	for range rnd.IntN(3) {
		at := rnd.IntN(len(b))
		run := min(1+rnd.IntN(400), len(b)-at)
		switch rnd.IntN(3) {
		case 0:
			clear(b[at : at+run])
		case 1:
			b = append(b[:at:at], b[at+run:]...)
		case 2:
			b = append(b[:at+run:at+run], b[at:]...)
		}
	}
	if rnd.IntN(4) == 0 {
		b = b[:1+rnd.IntN(len(b))]
	}
	return b
}

// TestCorrupted decodes spoilt files under each policy, some from the middle on: no crash, no hang, no
// slot or frame that does not come home. 25 seeds for each pair; PINRING_TEST_LONG=1 takes 125.
func TestCorrupted(t *testing.T) {
	seeds := uint64(25)
	if os.Getenv("PINRING_TEST_LONG") == "1" {
		seeds = 125
	}
	for _, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			whole, err := os.ReadFile(avtest.Clip(t, p.name, tiny, p.args...))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), p.name)
			frames := 0
			for seed := range seeds {
				if err := os.WriteFile(file, corrupted(whole, seed), 0o600); err != nil {
					t.Fatal(err)
				}
				dp := decode.Params{Path: file, Threads: 1 + int(seed%3), OnError: decode.Policy(seed % 4), MaxPixels: 1 << 20}
				if seed%5 == 4 {
					dp.Start, dp.Duration = 300*time.Millisecond, 500*time.Millisecond
				}
				frames += survive(t, dp, seed)
			}
			if frames == 0 {
				t.Error("not one frame of all came out: the files are spoilt too much to tell anything")
			}
		})
	}
}

// hangs is when a file that takes milliseconds is said to hang.
const hangs = time.Minute

func survive(t *testing.T, p decode.Params, seed uint64) (frames int) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), hangs)
	defer stop()
	lender := &avtest.Lender{}
	p.Lender = lender
	s, err := decode.Open(ctx, p)
	var late []*frame.Frame // some frames are released after the end
	for err == nil {
		var f *frame.Frame
		if f, err = s.Next(ctx); err != nil {
			break
		}
		frames++
		touch(f)
		if frames%3 == 0 && len(late) < 3 {
			late = append(late, f)
			continue
		}
		f.Release()
	}
	var e *decode.Error
	if !errors.Is(err, io.EOF) && !errors.As(err, &e) {
		t.Errorf("seed %d, %+v: %v", seed, p.OnError, err)
	}
	if s == nil {
		return frames
	}
	st := s.Stats()
	if st.Decoded != int64(frames) || st.Outstanding != int64(len(late)) {
		t.Errorf("seed %d: %d frames, the counters say %+v", seed, frames, st)
	}
	s.Close()
	for _, f := range late {
		touch(f)
		f.Release()
	}
	if left, _, err := lender.Lent(); left != 0 || err != nil {
		t.Errorf("seed %d: %d slots did not come back, %v", seed, left, err)
	}
	return frames
}

var sink byte

// touch reads a byte of each row: a slot that was given back too early is not mapped any more.
func touch(f *frame.Frame) {
	for _, p := range f.Planes[:f.NumPlanes] {
		for y := range p.Rows {
			sink ^= p.Row(y)[p.RowBytes-1]
		}
	}
}
