package encode

import (
	"fmt"

	"github.com/pinring/pinring/frame"
)

// y4m writes raw pictures straight from the frame's memory. FFmpeg's muxer writes the header only:
// that of 5.1 computes the chroma of pictures of odd width and more than 8 bits a byte short.
type y4m struct {
	*rawFile
	name    string
	formats formats
	like    frame.Info // of the first frame
}

// y4mFormats are the pixel formats that the container can name.
var y4mFormats = []frame.PixelFormat{
	"yuv420p", "yuv422p", "yuv444p", "yuv411p", "yuvj420p", "yuvj422p", "yuvj444p", "yuva444p", "gray",
	"yuv420p9le", "yuv422p9le", "yuv444p9le", "yuv420p10le", "yuv422p10le", "yuv444p10le",
	"yuv420p12le", "yuv422p12le", "yuv444p12le", "yuv420p14le", "yuv422p14le", "yuv444p14le",
	"yuv420p16le", "yuv422p16le", "yuv444p16le", "gray9le", "gray10le", "gray12le", "gray16le",
}

func newY4M(_ *Sink, p Params) (writer, error) {
	f, err := newRawFile(p, "yuv4mpegpipe", p.Output)
	if err != nil {
		return nil, err
	}
	if p.Note != nil && (p.VCodec != "" || len(p.own()) > 0) {
		p.Note("y4m holds pictures as they are: the encoder and its options have no effect")
	}
	return &y4m{rawFile: f, name: p.Output, formats: newFormats(y4mFormats, &p)}, nil
}

func (y *y4m) format(f frame.PixelFormat) frame.PixelFormat { return y.formats.choose(f) }

func (y *y4m) packet(p *frame.Packet) error { release(p); return nil }

func (y *y4m) write(f *frame.Frame) error {
	defer f.Release()
	if !y.ready {
		if err := y.begin(f); err != nil {
			return err
		}
	}
	if err := sameShape(y.like, f); err != nil {
		return err
	}
	return y.m.WriteRows("FRAME\n", f)
}

func (y *y4m) begin(f *frame.Frame) error {
	if got := y.format(f.Format); got != f.Format {
		return &Error{Output: y.name, What: fmt.Sprintf("cannot hold %s", f.Format), Hint: fmt.Sprintf("convert to %s", got)}
	}
	rate := f.FrameRate
	if !rate.Valid() {
		rate = fallbackRate
	}
	y.like = f.Info
	y.m.AddPictures(f, frame.Rational{Num: rate.Den, Den: rate.Num}, rate, true)
	y.ready = true
	return y.m.WriteHeader(nil)
}

// sameShape checks that a frame is like the first one.
func sameShape(like frame.Info, f *frame.Frame) error {
	if f.Width == like.Width && f.Height == like.Height && f.Format == like.Format {
		return nil
	}
	return fmt.Errorf("%w at frame %d: from %dx%d %s to %dx%d %s, which the file cannot hold: add a scale filter",
		ErrSizeChange, f.Index, like.Width, like.Height, like.Format, f.Width, f.Height, f.Format)
}
