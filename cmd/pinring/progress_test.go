package main

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"
)

// sheet is a terminal that keeps what is written.
type sheet struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *sheet) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *sheet) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func TestProgressLine(t *testing.T) {
	p := &progress{began: time.Unix(100, 0)}
	p.update(counters{Frames: 1500, InFlight: 4, PinnedBytes: 3 << 20})
	want := "pinring: 1,500 frames, 150 fps, 4 in flight, 3.0 MiB pinned"
	if got := p.line(time.Unix(110, 0)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.guard = func() string { return "guard hold, 12.0 MB left at the least" }
	if got := p.line(time.Unix(110, 0)); got != want+", guard hold, 12.0 MB left at the least" {
		t.Errorf("with a guard: %s", got)
	}
}

func TestProgressGivesTheTerminalBack(t *testing.T) {
	var s sheet
	refresh := make(chan any)
	talk := newTalk(&s)
	p := startProgress(talk, func() string { return "guard clear" }, mpb.WithOutput(&s), mpb.ForceTTY(), mpb.WithWidth(100), mpb.WithManualRefresh(refresh))
	p.update(counters{Frames: 7, InFlight: 2})
	talk.say("in between")
	refresh <- time.Now()
	refresh <- time.Now() // the first has been drawn when the second is taken
	p.stop()
	talk.say("at the end")
	if got := s.String(); !regexp.MustCompile(`(?s)in between.*pinring: 7 frames, .*2 in flight.*guard clear.*pinring: at the end\n$`).MatchString(got) {
		t.Errorf("the terminal shows %q", got)
	}
}

func TestNoProgressWithoutATerminal(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, w := range []io.Writer{io.Discard, file} {
		p := newProgress(w, newTalk(io.Discard), nil)
		if p != nil {
			t.Fatalf("a line is drawn on %T", w)
		}
		p.update(counters{Frames: 1}) // does nothing, and must not fail
		p.stop()
	}
}
