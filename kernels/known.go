package kernels

import (
	"fmt"

	"github.com/pinring/pinring/frame"
)

// formats that have kernels: all that are described. The commonest come first, for messages.
var formats = func() []frame.PixelFormat {
	out := []frame.PixelFormat{
		frame.YUV420P, frame.YUVJ420P, frame.NV12, frame.YUV422P, frame.YUV444P,
		frame.YUV420P10, frame.YUV422P10, frame.YUV444P10, frame.Gray, frame.RGB24,
	}
	for _, f := range frame.Described() {
		if !known(out, f) {
			out = append(out, f)
		}
	}
	return out
}()

func known(list []frame.PixelFormat, f frame.PixelFormat) bool {
	for _, g := range list {
		if f == g {
			return true
		}
	}
	return false
}

// Formats lists the pixel formats that filters can read and write.
func Formats() []frame.PixelFormat { return append([]frame.PixelFormat(nil), formats...) }

// Has reports whether filters can read and write a pixel format.
func Has(f frame.PixelFormat) bool { _, ok := frame.Describe(f); return ok }

// formatNames tells which formats there are, in short: the list has a hundred.
func formatNames() string {
	return "yuv420p, nv12, gray, rgb24, rgba, gbrp and their relatives of 8 to 16 bits, with alpha and without (yuva444p12le, p010le, gbrap16le, …)"
}

// describe is frame.Describe for the formats that have kernels.
func describe(f frame.PixelFormat) (*frame.Desc, error) {
	if d, ok := frame.Describe(f); ok {
		return d, nil
	}
	return nil, &FormatError{Format: f}
}

// FormatError says that no kernel knows a pixel format, or that a filter does not.
type FormatError struct {
	Format frame.PixelFormat
	Filter string // "": no filter does
	Hint   string // with Filter: what to do
}

func (e *FormatError) Error() string {
	if e.Filter != "" {
		return fmt.Sprintf("%s does not work on pixel format %q", e.Filter, e.Format)
	}
	return fmt.Sprintf("no kernel reads or writes pixel format %q; those that work: %s", e.Format, formatNames())
}
