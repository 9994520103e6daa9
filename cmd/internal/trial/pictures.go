package trial

import (
	"fmt"

	"github.com/pinring/pinring/budget"
	"github.com/pinring/pinring/budget/host"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/gpu"
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
	for i := range p.atMost(syntheticCount) {
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
	if free := freeRAM(); int64(l.Size) > free/20 { // a row holds a dozen and more, on top of what is kept
		return nil, &roomError{fmt.Sprintf("a picture of %d x %d in %s has %s, too much for the %s of memory that the host has left",
			width, height, format, budget.FormatBytes(int64(l.Size)), budget.FormatBytes(free))}
	}
	info := frame.Info{Format: format, Width: width, Height: height, FrameRate: rate, TimeBase: frame.Rational{Num: rate.Den, Den: rate.Num}}
	return &Pictures{Info: info, Layout: l}, nil
}

// mostPicture bounds what a header can make us allocate.
const mostPicture = 1 << 30

// mostKept bounds what the pictures take together.
const mostKept = 512 << 20

// atMost is how many pictures of this size are kept of n, one at least.
func (p *Pictures) atMost(n int) int {
	return max(min(n, int(min(mostKept, freeRAM()/4)/int64(p.Layout.Size))), 1)
}

// roomError is pictures that the host has no memory for. It matches [gpu.ErrOutOfMemory].
type roomError struct{ message string }

func (e *roomError) Error() string      { return e.message }
func (*roomError) Is(target error) bool { return target == gpu.ErrOutOfMemory }

// freeRAM is how much memory the host lets this process have still; what is not known limits nothing.
var freeRAM = func() int64 {
	const unknown = 1 << 62
	m, err := host.New(host.Options{})
	if err != nil {
		return unknown
	}
	defer m.Close()
	free := int64(unknown)
	readings, _ := budget.Read(m)
	for _, r := range readings {
		free = min(free, r.Headroom)
	}
	return free
}

func gradient(bytes, from int) []byte {
	data := make([]byte, bytes)
	for i := range data {
		data[i] = byte(from + i/7)
	}
	return data
}
