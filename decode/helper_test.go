package decode_test

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
)

var background = context.Background()

func open(t testing.TB, p decode.Params) *decode.Source {
	t.Helper()
	s, err := decode.Open(background, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// next is nil at the end.
func next(t testing.TB, s *decode.Source) *frame.Frame {
	t.Helper()
	f, err := s.Next(background)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sum is a checksum of what a frame shows.
func sum(f *frame.Frame) uint32 {
	h := crc32.NewIEEE()
	for _, p := range f.Planes[:f.NumPlanes] {
		for y := range p.Rows {
			h.Write(p.Row(y))
		}
	}
	return h.Sum32()
}

// sums decodes a file to its end.
func sums(t testing.TB, p decode.Params) []uint32 {
	t.Helper()
	s := open(t, p)
	var out []uint32
	for f := next(t, s); f != nil; f = next(t, s) {
		out = append(out, sum(f))
		f.Release()
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	return out
}
