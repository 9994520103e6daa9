package avtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/internal/av/avtest"
	"github.com/pinring/pinring/kernels"
)

// exceptions are the media files whose frames are not all FFmpeg's, and why. The error is what we say.
var exceptions = map[string]struct {
	err error // nil: any
	why string
}{
	"audio_only_aac.mp4":             {decode.ErrNoVideo, "no video stream"},
	"flac_cover_art.flac":            {decode.ErrNoVideo, "its only picture is cover art, which FFmpeg decodes as video and we do not"},
	"bad_ts_zero_video_frames.ts":    {decode.ErrNothingDecoded, "announces video and holds none"},
	"bad_vp9_invalid_bitstream.webm": {decode.ErrNothingDecoded, "no picture can be decoded, by FFmpeg neither"},
	"bad_zero_length.mov":            {nil, "an empty file"},
}

// row is one file of docs/media-table.md.
type row struct {
	name, decoded, kernels string
	frames, undecodable    int64
}

const identical = "identical"

// TestMediaTable compares every frame of every media file with what FFmpeg's program decodes: its
// order, size, time and checksum; as decoded, and after two passes of kernels that undo each other. What
// it finds is the table in docs/media-table.md. PINRING_UPDATE_TABLE=1 writes it.
func TestMediaTable(t *testing.T) {
	var rows []row
	for _, file := range avtest.Files(t) {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			r := row{name: name}
			if _, ok := exceptions[name]; ok {
				r.decoded, r.kernels = failing(t, file), "–"
			} else {
				r.compare(t, file)
			}
			rows = append(rows, r)
		})
	}
	if len(rows) < 45 || t.Failed() {
		return // a part of the tests was chosen, or the table would be wrong
	}
	checkTable(t, tableText(rows))
}

// failing checks that a file without frames ends with the error that it should.
func failing(t *testing.T, file string) string {
	x := exceptions[filepath.Base(file)]
	_, _, err := avtest.Convert(context.Background(), decode.Params{Path: file, Lender: &avtest.Lender{}}, encode.Params{Output: "null:"})
	var e *decode.Error
	if !errors.As(err, &e) || x.err != nil && !errors.Is(err, x.err) || e.Hint == "" {
		t.Errorf("got %v, want a *decode.Error with %v", err, x.err)
	}
	return "exit code 3: " + x.why
}

func (r *row) compare(t *testing.T, file string) {
	want := avtest.Reference(t, file)
	got, st := md5Of(t, file, 4)
	r.frames, r.undecodable = st.Decoded, st.DiscardedDamaged
	if i := firstDifference(got, want); i >= 0 {
		t.Errorf("line %d: %q, want %q", i, line(got, i), line(want, i))
	}
	r.decoded = identical
	r.kernels = throughKernels(t, kinds[0], file, want)
}

// shortest is how many frames of a file go through the kernels unless the long tests are wanted.
const shortest = 60

// throughKernels compares what is left of a file after both passes.
func throughKernels(t *testing.T, k kind, file string, want []string) string {
	t.Helper()
	most := int64(0)
	if os.Getenv("PINRING_TEST_LONG") == "" {
		most = shortest
	}
	got, err := negatedTwice(t, k, file, most)
	var format *kernels.FormatError
	if errors.As(err, &format) {
		return fmt.Sprintf("no kernels for %s", format.Format)
	}
	if err != nil {
		t.Errorf("%s: %v", k.name, err)
		return "failed"
	}
	if n := headers(want) + shortest; most > 0 && len(want) > n {
		want = want[:n]
	}
	if i := firstDifference(got, want); i >= 0 {
		t.Errorf("%s, line %d: %q, want %q", k.name, i, line(got, i), line(want, i))
	}
	return identical
}

// headers is how many lines come before those of the frames.
func headers(lines []string) (n int) {
	for n < len(lines) && strings.HasPrefix(lines[n], "#") {
		n++
	}
	return n
}

func tableText(rows []row) string {
	var b strings.Builder
	same := 0
	for _, r := range rows {
		if r.decoded == identical {
			same++
		}
	}
	fmt.Fprintf(&b, `# Real files, compared with FFmpeg

This page is written and checked by `+"`go test ./internal/av/avtest -run TestMediaTable`"+` with PINRING_MEDIA (and
PINRING_UPDATE_TABLE=1 to write it). Of %d files %d are identical to what FFmpeg's program decodes: frames,
order, sizes, time stamps and checksums of all pictures. For the others the reason is given.

"Through kernels" is the same after two passes of the filter `+"`negate`"+`, each with an upload, a launch and a
download of its own (the CPU device, used like a card): the first %d frames of each file, all with
PINRING_TEST_LONG=1. "Undecodable" counts packets of damaged files that nothing can be made of; FFmpeg makes
nothing of them either.

| file | frames | undecodable | decoded | through kernels |
|---|---|---|---|---|
`, len(rows), same, shortest)
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s |\n", r.name, r.frames, r.undecodable, r.decoded, r.kernels)
	}
	return b.String()
}

func checkTable(t *testing.T, text string) {
	t.Helper()
	name := filepath.Join(filepath.Dir(avtest.Sample()), "..", "docs", "media-table.md")
	if os.Getenv("PINRING_UPDATE_TABLE") == "1" {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if i := firstDifference(strings.Split(string(have), "\n"), strings.Split(text, "\n")); i >= 0 {
		t.Errorf("docs/media-table.md, line %d, is not what was found: %q; PINRING_UPDATE_TABLE=1 writes it anew",
			i+1, line(strings.Split(text, "\n"), i))
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
