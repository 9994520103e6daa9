package avtest_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/internal/av/avtest"
)

// Looking for the next packet behind a gap is not waiting: a file always has something to read.
func TestGapInATransportStream(t *testing.T) {
	part, err := os.ReadFile(avtest.Clip(t, "in.ts", small, "-c:v", "mpeg2video"))
	if err != nil {
		t.Fatal(err)
	}
	whole, gap := filepath.Join(t.TempDir(), "whole.ts"), filepath.Join(t.TempDir(), "gap.ts")
	for name, data := range map[string][]byte{whole: slices.Concat(part, part), gap: slices.Concat(part, make([]byte, 1<<20), part)} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, want := packets(t, gap), packets(t, whole); n != want || n == 0 {
		t.Errorf("%d packets, want %d", n, want)
	}
}

// packets reads a file to its end, and never has to wait.
func packets(t *testing.T, path string) (n int) {
	t.Helper()
	in, err := av.OpenInput(context.Background(), av.InputOptions{Path: path, MaxPixels: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for p := av.NewPacket(); ; n++ {
		err := in.Read(context.Background(), p)
		if errors.Is(err, io.EOF) {
			p.Free()
			return n
		}
		if err != nil {
			t.Fatalf("%s, packet %d: %v", path, n, err)
		}
		p.Unref()
	}
}

// Old demuxers call the end of a file an input error. It is none.
func TestEndOfFileIsNoError(t *testing.T) {
	file := avtest.Clip(t, "in.roq", "testsrc2=size=128x128:rate=30:duration=0.5", "-c:v", "roqvideo", "-pix_fmt", "yuvj444p", "-f", "roq")
	if n := packets(t, file); n == 0 {
		t.Error("no packets")
	}
}
