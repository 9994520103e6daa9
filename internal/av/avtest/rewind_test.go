package avtest_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
	"github.com/pinring/pinring/internal/av/avtest"
)

// A second round gives the same pictures, with index and time stamps that go on.
func TestRewind(t *testing.T) {
	for name, args := range map[string][]string{
		"a.mp4": {"-c:v", "libx264", "-bf", "2"}, "a.264": {"-c:v", "libx264"}, "a.mkv": {"-c:v", "ffv1"}, "a.ts": {"-c:v", "mpeg2video"},
	} {
		in := avtest.Clip(t, name, "testsrc2=s=160x120:d=1:r=25", append(args, "-pix_fmt", "yuv420p")...)
		lender := &avtest.Lender{}
		src, err := decode.Open(context.Background(), decode.Params{Path: in, Threads: 2, InFlight: 1, Lender: lender})
		if err != nil {
			t.Fatal(err)
		}
		var first [][16]byte
		last := frame.NoPTS
		for round := range 3 {
			for n := 0; ; n++ {
				f, err := src.Next(context.Background())
				if errors.Is(err, io.EOF) {
					if n != 25 {
						t.Errorf("%s, round %d: %d frames", name, round, n)
					}
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if round == 0 {
					first = append(first, frametest.Sum(f))
				} else if frametest.Sum(f) != first[n] {
					t.Errorf("%s, round %d: frame %d differs", name, round, n)
				}
				if f.Index != int64(round*25+n) || f.PTS <= last && f.PTS != frame.NoPTS {
					t.Errorf("%s: frame %d of round %d has index %d, pts %d after %d", name, n, round, f.Index, f.PTS, last)
				}
				last = f.PTS
				f.Release()
			}
			if err := src.Rewind(); err != nil {
				t.Fatal(err)
			}
		}
		if st := src.Stats(); st.Generations != 1 {
			t.Errorf("%s: %d generations of slots", name, st.Generations)
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}

// With a start each round gives the same part again.
func TestRewindToStart(t *testing.T) {
	for name, args := range map[string][]string{
		"a.mp4": {"-c:v", "libx264", "-bf", "2"}, "a.264": {"-c:v", "libx264"}, "a.ts": {"-c:v", "mpeg2video", "-bf", "2"},
	} {
		in := avtest.Clip(t, name, "testsrc2=s=160x120:d=2:r=25", append(args, "-pix_fmt", "yuv420p")...)
		src, err := decode.Open(context.Background(), decode.Params{Path: in, Threads: 2, Start: 1200 * time.Millisecond, Duration: 400 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		var sums [][16]byte
		for range 3 {
			for {
				f, err := src.Next(context.Background())
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if f.Index != int64(len(sums)) {
					t.Errorf("%s: frame %d has index %d", name, len(sums), f.Index)
				}
				sums = append(sums, frametest.Sum(f))
				f.Release()
			}
			if err := src.Rewind(); err != nil {
				t.Fatal(err)
			}
		}
		if len(sums) != 30 || !slices.Equal(sums[:10], sums[10:20]) || !slices.Equal(sums[:10], sums[20:]) {
			t.Errorf("%s: %d frames in three rounds, want ten in each, the same", name, len(sums))
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
}
