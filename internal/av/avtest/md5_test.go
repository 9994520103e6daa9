package avtest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// unplayable are the media files of which FFmpeg's program makes no frame of video, and what we say.
var unplayable = map[string]error{
	"audio_only_aac.mp4":             decode.ErrNoVideo,
	"flac_cover_art.flac":            decode.ErrNoVideo, // a cover is not video to us
	"bad_ts_zero_video_frames.ts":    decode.ErrNothingDecoded,
	"bad_vp9_invalid_bitstream.webm": decode.ErrNothingDecoded,
	"bad_zero_length.mov":            nil, // cannot be opened
}

// TestMD5 compares every frame of every media file with what FFmpeg's program decodes.
func TestMD5(t *testing.T) {
	var table strings.Builder
	same := 0
	for _, file := range avtest.Files(t) {
		name := filepath.Base(file)
		if _, ok := unplayable[name]; ok {
			continue
		}
		if info, err := os.Stat(file + ".framemd5"); testing.Short() && err == nil && info.Size() > 500_000 {
			t.Logf("%s is left out of the short test: it has very many frames", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			want := avtest.Reference(t, file)
			got, st := md5Of(t, file, 4)
			verdict := "identical"
			if i := firstDifference(got, want); i >= 0 {
				verdict = fmt.Sprintf("line %d: %q, want %q", i, line(got, i), line(want, i))
				t.Error(verdict)
			} else {
				same++
			}
			fmt.Fprintf(&table, "%-42s %6d frames %6d in slots %4d damaged %4d repaired  %s\n",
				name, st.Decoded, st.InSlots, st.DiscardedDamaged, st.Concealed, verdict)
		})
	}
	t.Logf("%d files identical\n%s", same, table.String())
	if same < 30 {
		t.Errorf("only %d files are identical", same)
	}
}

func md5Of(t *testing.T, file string, threads int) ([]string, decode.Stats) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.framemd5")
	lender := &avtest.Lender{}
	st, _, err := avtest.Convert(context.Background(),
		decode.Params{Path: file, Stream: "v:0", Threads: threads, InFlight: 2, Lender: lender},
		encode.Params{Output: "md5:" + out, Input: file})
	if err != nil {
		t.Fatal(err)
	}
	if slots, _, err := lender.Lent(); slots != 0 || err != nil {
		t.Errorf("%d slots did not come back, %v", slots, err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return avtest.Comparable(string(b)), st
}

func firstDifference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if line(a, i) != line(b, i) {
			return i
		}
	}
	return -1
}

func line(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "(none)"
}
