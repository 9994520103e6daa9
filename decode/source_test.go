package decode_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/internal/av/avtest"
)

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	sound := avtest.Clip(t, "sound.m4a", "sine=duration=1")
	for name, c := range map[string]struct {
		p    decode.Params
		want error
	}{
		"missing":      {decode.Params{Path: filepath.Join(dir, "missing.mp4")}, fs.ErrNotExist},
		"empty":        {decode.Params{Path: write("empty.mp4", "")}, nil},
		"network":      {decode.Params{Path: "https://localhost/x.mp4"}, fs.ErrNotExist},
		"playlist":     {decode.Params{Path: write("x.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n")}, decode.ErrReferencesFiles},
		"sound only":   {decode.Params{Path: sound}, decode.ErrNoVideo},
		"is sound":     {decode.Params{Path: sound, Stream: "0"}, decode.ErrNoVideo},
		"no such":      {decode.Params{Path: avtest.Sample(), Stream: "v:7"}, decode.ErrNoVideo},
		"no index":     {decode.Params{Path: avtest.Sample(), Stream: "99"}, decode.ErrNoVideo},
		"no spec":      {decode.Params{Path: avtest.Sample(), Stream: "first"}, nil},
		"negative":     {decode.Params{Path: avtest.Sample(), Stream: "v:-1"}, nil},
		"pixel limit":  {decode.Params{Path: avtest.Sample(), MaxPixels: 1000}, av.ErrTooLarge},
		"is the sound": {decode.Params{Path: avtest.Sample(), Stream: "1"}, decode.ErrNoVideo},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := decode.Open(background, c.p)
			if err == nil {
				_, err = s.Next(background)
				s.Close()
			}
			var e *decode.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a *decode.Error", err)
			}
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if e.Hint == "" || !strings.Contains(err.Error(), c.p.Path) {
				t.Errorf("%q, hint %q: no help", err, e.Hint)
			}
		})
	}
}

// TestRealFilesWithoutVideo opens real files that hold no usable video.
func TestRealFilesWithoutVideo(t *testing.T) {
	dir := avtest.Media(t)
	for name, want := range map[string]error{
		"audio_only_aac.mp4":             decode.ErrNoVideo,
		"flac_cover_art.flac":            decode.ErrNoVideo,
		"bad_ts_zero_video_frames.ts":    decode.ErrNothingDecoded,
		"bad_vp9_invalid_bitstream.webm": decode.ErrNothingDecoded,
		"bad_zero_length.mov":            nil,
	} {
		s, err := decode.Open(background, decode.Params{Path: filepath.Join(dir, name), Lender: &avtest.Lender{}})
		if err == nil {
			_, err = s.Next(background)
			s.Close()
		}
		var e *decode.Error
		if !errors.As(err, &e) || (want != nil && !errors.Is(err, want)) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
}

// TestImageSequence opens numbered images as one video only where that is allowed.
func TestImageSequence(t *testing.T) {
	pattern := filepath.Join(t.TempDir(), "i%03d.png")
	avtest.FFmpeg(t, "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=5:duration=1", pattern)
	s := open(t, decode.Params{Path: pattern})
	if f, err := s.Next(background); !errors.Is(err, decode.ErrNothingDecoded) {
		t.Errorf("a pattern opened files by itself: frame %v, %v", f, err)
	}
	if got := sums(t, decode.Params{Path: pattern, References: true}); len(got) != 5 {
		t.Errorf("%d frames, want 5", len(got))
	}
	single := strings.Replace(pattern, "%03d", "001", 1)
	if got := sums(t, decode.Params{Path: single}); len(got) != 1 {
		t.Errorf("%d frames, want 1", len(got))
	}
}

func TestChoosesStream(t *testing.T) {
	clip := filepath.Join(t.TempDir(), "two.mkv")
	avtest.FFmpeg(t, "-f", "lavfi", "-i", "testsrc2=size=160x120:duration=1", "-f", "lavfi", "-i", "sine=duration=1",
		"-f", "lavfi", "-i", "testsrc2=size=320x240:duration=1", "-map", "0", "-map", "1", "-map", "2",
		"-c:v", "libx264", "-disposition:0", "0", "-disposition:2", "0", clip)
	for spec, want := range map[string][2]int{"": {2, 320}, "v:0": {0, 160}, "v:1": {2, 320}, "0": {0, 160}, "2": {2, 320}} {
		s := open(t, decode.Params{Path: clip, Stream: spec})
		in := s.Input()
		f := next(t, s)
		if in.Video.Index != want[0] || f.Width != want[1] || in.Info.Width != want[1] {
			t.Errorf("%q chose stream %d of width %d, want %v", spec, in.Video.Index, f.Width, want)
		}
		f.Release()
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	s := open(t, decode.Params{Path: avtest.Sample(), Threads: 2})
	f, err := s.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	f.Release()
	cancel()
	if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if f, err = s.Next(background); err != nil { // nothing is lost
		t.Fatal(err)
	}
	if f.Index != 1 {
		t.Errorf("frame %d, want 1", f.Index)
	}
	f.Release()
	if _, err := decode.Open(ctx, decode.Params{Path: avtest.Sample()}); !errors.Is(err, context.Canceled) {
		t.Errorf("open: got %v", err)
	}
}

// TestDamage flips bytes all over a file: the run goes on to the end, and every slot comes home.
func TestDamage(t *testing.T) {
	for _, format := range []string{"clip.mp4", "clip.ts", "clip.mkv"} {
		clip := avtest.Clip(t, format, "testsrc2=size=320x240:rate=25:duration=4", "-c:v", "libx264", "-g", "25", "-bf", "2")
		whole, err := os.ReadFile(clip)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(12) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			b := append([]byte(nil), whole...)
			for range 1 + rnd.IntN(200) {
				b[rnd.IntN(len(b))] ^= byte(1 + rnd.IntN(255))
			}
			if seed%3 == 2 {
				b = b[:len(b)/2+rnd.IntN(len(b)/2)]
			}
			if err := os.WriteFile(clip, b, 0o600); err != nil {
				t.Fatal(err)
			}
			toTheEnd(t, clip, seed)
		}
	}
}

func toTheEnd(t *testing.T, clip string, seed uint64) {
	t.Helper()
	lender := &avtest.Lender{}
	s, err := decode.Open(background, decode.Params{Path: clip, Threads: 2, Lender: lender})
	var e *decode.Error
	for err == nil {
		var f *frame.Frame
		if f, err = s.Next(background); err == nil {
			sum(f)
			f.Release()
		}
	}
	if !errors.Is(err, io.EOF) && !errors.As(err, &e) {
		t.Errorf("%s, seed %d: %v", filepath.Ext(clip), seed, err)
	}
	if s != nil {
		s.Close()
	}
	if left, _, err := lender.Lent(); left != 0 || err != nil {
		t.Errorf("%s, seed %d: %d slots did not come back, %v", filepath.Ext(clip), seed, left, err)
	}
}

// TestPassThrough gets the packets of other streams, on the frames' clock.
func TestPassThrough(t *testing.T) {
	packets, bytes, expect := 0, 0, int64(0)
	s := open(t, decode.Params{Path: avtest.Sample(), Threads: 2, Packets: func(p *frame.Packet) error {
		n := p.Native.(*av.Packet)
		if p.Stream != 1 || packets > 0 && n.PTS() != expect {
			t.Errorf("packet %d: stream %d, pts %d, want %d", packets, p.Stream, n.PTS(), expect)
		}
		packets++
		expect = n.PTS() + 1024 // samples in a packet of AAC
		bytes += n.Bytes()
		av.ReleasePacket(p)
		return nil
	}})
	for range 100 {
		next(t, s).Release()
	}
	if packets == 0 || bytes == 0 {
		t.Errorf("%d packets, %d bytes", packets, bytes)
	}
	stop := errors.New("stop")
	s = open(t, decode.Params{Path: avtest.Sample(), Packets: func(p *frame.Packet) error { av.ReleasePacket(p); return stop }})
	err := error(nil)
	for err == nil {
		var f *frame.Frame
		if f, err = s.Next(background); err == nil {
			f.Release()
		}
	}
	if !errors.Is(err, stop) {
		t.Errorf("got %v, want the callback's error", err)
	}
}

// TestOpenCloseIsFlat opens and closes many times: no file, slot or memory is left.
func TestOpenCloseIsFlat(t *testing.T) {
	clip := avtest.Clip(t, "flat.mp4", "testsrc2=size=320x240:rate=25:duration=1", "-c:v", "libx264")
	lender := &avtest.Lender{}
	once := func() {
		s, err := decode.Open(background, decode.Params{Path: clip, Threads: 2, Lender: lender})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			next(t, s).Release()
		}
		s.Close()
		if _, err := decode.Open(background, decode.Params{Path: clip, Stream: "9"}); err == nil {
			t.Fatal("a stream that does not exist opened")
		}
	}
	for range 20 {
		once()
	}
	files, memory := usage(t)
	for range 200 {
		once()
	}
	files2, memory2 := usage(t)
	if files2 > files {
		t.Errorf("%d files are open, %d before", files2, files)
	}
	if grown := memory2 - memory; grown > 8<<20 {
		t.Errorf("the process grew by %d KiB in 200 rounds", grown>>10)
	}
	if left, _, err := lender.Lent(); left != 0 || err != nil {
		t.Errorf("%d slots did not come back, %v", left, err)
	}
}

// usage is the number of open files and the resident bytes.
func usage(t *testing.T) (files, bytes int) {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc to look at")
	}
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	resident, err := strconv.Atoi(strings.Fields(string(b))[1])
	if err != nil {
		t.Fatal(err)
	}
	return len(fds), resident * os.Getpagesize()
}
