package encode

import (
	"fmt"
	"slices"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// formats chooses the pixel format that a sink wants pictures in.
type formats struct {
	takes []frame.PixelFormat // what the sink takes as it comes
	can   []frame.PixelFormat // what pictures can be converted to
	note  func(string)
	said  map[frame.PixelFormat]bool
}

func newFormats(takes []frame.PixelFormat, p *Params) formats {
	can := p.Can
	if can == nil {
		can = frame.Described()
	}
	return formats{takes: takes, can: can, note: p.Note, said: map[frame.PixelFormat]bool{}}
}

// encoderFormats are those of the encoder in p.
func encoderFormats(p *Params) (formats, error) {
	takes, err := av.EncoderFormats(p.VCodec)
	if err != nil {
		return formats{}, &Error{Output: p.Output, What: "cannot be encoded", Err: err, Settings: true, Hint: "`ffmpeg -encoders` lists what FFmpeg can encode here"}
	}
	if p.VCodec == "mjpeg" {
		takes = fullRange(takes) // it refuses others unless told to break the standard
	}
	return newFormats(takes, p), nil
}

// choose gives f itself when the sink takes it, else the format that keeps most of it among those
// that the sink takes and that can be made. What is lost is said, once.
func (c formats) choose(f frame.PixelFormat) frame.PixelFormat {
	if slices.Contains(c.takes, f) {
		return f
	}
	var both []frame.PixelFormat
	for _, t := range c.takes {
		if slices.Contains(c.can, t) {
			both = append(both, t)
		}
	}
	got := av.BestFormat(both, f)
	if lost := loss(f, got); lost != "" && !c.said[f] && c.note != nil {
		c.said[f] = true
		c.note(fmt.Sprintf("pictures in %s are written as %s: %s", f, got, lost))
	}
	return got
}

// loss says what a picture loses on its way from one format to the other, empty for nothing.
func loss(from, to frame.PixelFormat) string {
	a, ok := frame.Describe(from)
	b, known := frame.Describe(to)
	if !ok || !known {
		return ""
	}
	grey := len(a.Components) < 3
	switch {
	case b.Depth() < a.Depth():
		return fmt.Sprintf("%d bits of each sample remain of %d", b.Depth(), a.Depth())
	case !grey && len(b.Components) < 3:
		return "the colours are lost"
	case !grey && (b.Log2ChromaW > a.Log2ChromaW || b.Log2ChromaH > a.Log2ChromaH):
		return "the colours get a lower resolution"
	case a.Alpha && !b.Alpha:
		return "transparency is lost"
	}
	return ""
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
