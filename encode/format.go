package encode

import (
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// bestFormat chooses among formats that a sink takes, preferring those that package frame describes:
// only these can be converted to.
func bestFormat(of []frame.PixelFormat, f frame.PixelFormat) frame.PixelFormat {
	var described []frame.PixelFormat
	for _, o := range of {
		if o == f {
			return f
		}
		if _, ok := frame.Describe(o); ok {
			described = append(described, o)
		}
	}
	return av.BestFormat(described, f)
}

// fullRange keeps the formats of full range.
func fullRange(of []frame.PixelFormat) []frame.PixelFormat {
	var out []frame.PixelFormat
	for _, f := range of {
		if d, ok := frame.Describe(f); ok && d.FullRangeYUV {
			out = append(out, f)
		}
	}
	return out
}
