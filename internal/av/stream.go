package av

// #include "input.h"
import "C"

import (
	"runtime"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// Stream describes one stream of an input.
type Stream struct {
	Index    int
	Kind     string // "video", "audio", "subtitle", "data", "attachment"
	Codec    string // FFmpeg's name, "h264"
	TimeBase frame.Rational
	// FrameRate is FFmpeg's best guess of the nominal rate, AverageRate frames by duration. Video.
	FrameRate, AverageRate frame.Rational
	Width, Height          int               // video
	Format                 frame.PixelFormat // video, empty when unknown
	SAR                    frame.Rational    // video, as the container says
	Color                  frame.Color       // video
	SampleRate, Channels   int               // audio
	BitRate                int64             // bits per second, 0 when unknown
	Start                  int64             // first time stamp, frame.NoPTS when unknown
	Frames                 int64             // as the container says, 0 when unknown
	// Picture marks an attached picture (cover art, thumbnails): video by name only.
	Picture bool
	Default bool // the author's choice among several
	// Matrix is the display matrix (16.16 and 2.30 fixed point, row by row), nil when there is none.
	Matrix   *[9]int32
	Metadata map[string]string
	// Params carries what a muxer needs to copy the stream, or to make a new one that resembles it.
	Params *StreamParams

	delay    int // pictures of reordering delay
	wrapBits int
}

// Rotation is how many degrees counter-clockwise the container wants the picture turned, in
// (-180, 180]; 0 when it does not say.
func (s *Stream) Rotation() float64 { return Rotation(s.Matrix) }

// WrapBits is how many bits the container has for a time stamp.
func (s *Stream) WrapBits() int { return s.wrapBits }

// Delay is how many pictures the stream's coding order may be ahead of its presentation order.
func (s *Stream) Delay() int { return s.delay }

// StreamParams is an opaque description of a stream, for muxers. It is immutable, safe for
// concurrent use, and freed by the garbage collector.
type StreamParams struct {
	index       int
	kind        string
	timeBase    astiav.Rational
	par         *astiav.CodecParameters
	disposition C.int
	matrix      *[9]int32
	metadata    map[string]string
	hdr         *frame.HDR
}

// SampleRate is that of sound, 0 of other streams.
func (p *StreamParams) SampleRate() int {
	if p.kind != "audio" {
		return 0
	}
	return p.par.SampleRate()
}

// Index is the stream's index in its input.
func (p *StreamParams) Index() int { return p.index }

// Kind is "video", "audio", "subtitle", "data" or "attachment".
func (p *StreamParams) Kind() string { return p.kind }

// HDR is what the container says of the display and the light of its content, nil when it does not
// say. p may be nil.
func (p *StreamParams) HDR() *frame.HDR {
	if p == nil {
		return nil
	}
	return p.hdr
}

// Metadata are the stream's tags, which must not be changed. p may be nil.
func (p *StreamParams) Metadata() map[string]string {
	if p == nil {
		return nil
	}
	return p.metadata
}

// Codec is the name of its codec.
func (p *StreamParams) Codec() string { return p.par.CodecID().Name() }

func newStreamParams(s *astiav.Stream, facts *C.pr_stream_facts, meta map[string]string) *StreamParams {
	p := &StreamParams{index: s.Index(), timeBase: s.TimeBase(), metadata: meta,
		par: astiav.AllocCodecParameters(), disposition: facts.disposition, matrix: matrixOf(facts),
		kind: s.CodecParameters().MediaType().String(), hdr: streamHDR(s)}
	runtime.AddCleanup(p, func(par *astiav.CodecParameters) { par.Free() }, p.par)
	_ = s.CodecParameters().Copy(p.par) // fails only out of memory; a muxer then refuses the stream
	return p
}

func matrixOf(facts *C.pr_stream_facts) *[9]int32 {
	if facts.has_matrix == 0 {
		return nil
	}
	var m [9]int32
	for i := range m {
		m[i] = int32(facts.matrix[i])
	}
	return &m
}

func describeStream(fc *astiav.FormatContext, s *astiav.Stream) Stream {
	var facts C.pr_stream_facts
	C.pr_stream_read(cStream(s), &facts)
	par := s.CodecParameters()
	meta := metadata(s.Metadata())
	out := Stream{
		Index: s.Index(), Kind: par.MediaType().String(), Codec: par.CodecID().Name(),
		TimeBase: rational(s.TimeBase()), BitRate: par.BitRate(), Start: int64(facts.start),
		Frames: s.NbFrames(), Picture: facts.is_picture != 0, Metadata: meta,
		Default: facts.disposition&C.AV_DISPOSITION_DEFAULT != 0, Matrix: matrixOf(&facts),
		Params: newStreamParams(s, &facts, meta), delay: int(facts.video_delay), wrapBits: int(facts.wrap_bits),
	}
	switch par.MediaType() {
	case astiav.MediaTypeVideo:
		out.Width, out.Height = par.Width(), par.Height()
		out.Format = formatName(C.int(par.PixelFormat()))
		out.SAR = rational(s.SampleAspectRatio())
		out.Color = parameterColor(par)
		out.AverageRate = rational(s.AvgFrameRate())
		out.FrameRate = rational(fc.GuessFrameRate(s, nil))
		if !out.FrameRate.Valid() {
			out.FrameRate = rational(s.RFrameRate())
		}
	case astiav.MediaTypeAudio:
		out.SampleRate, out.Channels = par.SampleRate(), par.Channels()
	}
	return out
}

func parameterColor(par *astiav.CodecParameters) frame.Color {
	c := cParameters(par)
	return colorTags{C.int(c.color_range), C.int(c.color_space), C.int(c.color_primaries),
		C.int(c.color_trc), C.int(c.chroma_location)}.names()
}

// metadata reads all entries of a dictionary, nil when there are none.
func metadata(d *astiav.Dictionary) map[string]string {
	if d == nil {
		return nil
	}
	out := map[string]string{}
	var e *astiav.DictionaryEntry
	for {
		if e = d.Get("", e, astiav.NewDictionaryFlags(astiav.DictionaryFlagIgnoreSuffix)); e == nil {
			return out
		}
		out[e.Key()] = e.Value()
	}
}

// Matrix is the stream's display matrix, nil when there is none. p may be nil.
func (p *StreamParams) Matrix() *[9]int32 {
	if p == nil {
		return nil
	}
	return p.matrix
}
