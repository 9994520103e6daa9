package decode_test

import (
	"errors"
	"io"
	"testing"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/internal/av/avtest"
)

// BenchmarkSample decodes the demo clip into lent slots. Compare with
// `ffmpeg -benchmark -i samples/sample.mp4 -map 0:v -f null -`.
func BenchmarkSample(b *testing.B) {
	lender := &avtest.Lender{}
	b.ReportAllocs()
	frames := 0
	for frames < b.N {
		s := open(b, decode.Params{Path: avtest.Sample(), InFlight: 3, Lender: lender})
		for frames < b.N {
			f, err := s.Next(background)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			f.Release()
			frames++
		}
		s.Close()
	}
	b.ReportMetric(float64(frames)/b.Elapsed().Seconds(), "frames/s")
}
