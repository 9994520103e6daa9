package trial

import (
	"fmt"

	"github.com/pinring/pinring/frame"
)

// Pictures are frames that every row of a comparison repeats.
type Pictures struct {
	Info   frame.Info
	Layout frame.Layout // rows close together, as in Data
	Data   [][]byte
	// Path and Container are for the report: where they come from.
	Path, Container string
}

// syntheticCount is how many different pictures are made.
const syntheticCount = 8

// Synthetic makes pictures that move. A 1920 × 1080 picture in rgb24 has 6,220,800 bytes.
func Synthetic(format frame.PixelFormat, width, height int, rate frame.Rational) (*Pictures, error) {
	p, err := newPictures(format, width, height, rate)
	if err != nil {
		return nil, err
	}
	p.Path, p.Container = "synthetic", "synthetic"
	for i := range syntheticCount {
		p.Data = append(p.Data, gradient(p.Layout.Size, i*17))
	}
	return p, nil
}

func newPictures(format frame.PixelFormat, width, height int, rate frame.Rational) (*Pictures, error) {
	l, err := frame.NewLayout(format, width, height, 1)
	if err != nil {
		return nil, err
	}
	if l.Size > mostPicture {
		return nil, fmt.Errorf("a picture of %d x %d in %s has %d bytes, more than %d", width, height, format, l.Size, mostPicture)
	}
	info := frame.Info{Format: format, Width: width, Height: height, FrameRate: rate, TimeBase: frame.Rational{Num: rate.Den, Den: rate.Num}}
	return &Pictures{Info: info, Layout: l}, nil
}

// mostPicture bounds what a header can make us allocate.
const mostPicture = 1 << 30

func gradient(bytes, from int) []byte {
	data := make([]byte, bytes)
	for i := range data {
		data[i] = byte(from + i/7)
	}
	return data
}
