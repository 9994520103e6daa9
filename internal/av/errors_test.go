package av

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.mp4")
	if err := os.WriteFile(text, []byte(strings.Repeat("no video here\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"missing", filepath.Join(dir, "missing.mp4"), fs.ErrNotExist},
		{"folder", dir, syscall.EISDIR},
		{"text", text, nil},
		{"network", "http://127.0.0.1:1/x.mp4", fs.ErrNotExist},
		{"protocol", "concat:a|b", fs.ErrNotExist},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := OpenInput(context.Background(), InputOptions{Path: c.path, MaxPixels: 1 << 20})
			if err == nil {
				in.Close()
				t.Fatal("it opened")
			}
			if c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestReferencesAreRefused(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"list.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n/etc/hostname\n#EXT-X-ENDLIST\n",
		"list.txt":  "ffconcat version 1.0\nfile '/etc/hostname'\n",
		"x.sdp":     "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := OpenInput(context.Background(), InputOptions{Path: path, MaxPixels: 1 << 20})
		if err == nil {
			in.Close()
		}
		if !errors.Is(err, ErrReference) {
			t.Errorf("%s: got %v, want %v", name, err, ErrReference)
		}
	}
}

func TestInterruptedOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := filepath.Join(t.TempDir(), "x.mp4")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := OpenInput(ctx, InputOptions{Path: path, MaxPixels: 1 << 20})
	if err == nil {
		in.Close()
		t.Fatal("it opened")
	}
}

func TestErrorText(t *testing.T) {
	err := fail("open input", -int(syscall.ENOSPC))
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v is not ENOSPC", err)
	}
	if got, want := err.Error(), "open input: no space left on device"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if fail("x", 0) != nil || fail("x", 3) != nil {
		t.Error("success became an error")
	}
}

func TestLogCounts(t *testing.T) {
	before, _ := LogCounts()
	path := filepath.Join(t.TempDir(), "empty.mov")
	if err := os.WriteFile(path, []byte("\x00\x00\x00\x14ftypisom\x00\x00\x02\x00isom"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := OpenInput(context.Background(), InputOptions{Path: path, MaxPixels: 1})
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Detail, "moov atom not found") {
		t.Errorf("got %v, want FFmpeg's own words for it", err)
	}
	if after, _ := LogCounts(); after <= before {
		t.Errorf("%d errors before, %d after", before, after)
	}
}
