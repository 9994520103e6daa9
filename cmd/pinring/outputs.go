package main

import (
	"time"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/kernels"
)

// sinkParams is what the user wants written, and what of the input goes along.
func (w *way) sinkParams(in decode.Input) encode.Params {
	o := w.j.Output
	p := encode.Params{
		Output: w.j.output, Overwrite: bool(o.Yes), Input: w.j.input,
		VCodec: unlessAuto(o.Codec), Preset: unlessAuto(o.Preset), CRF: quality(o.CRF), BitRate: int64(o.BitRate), Opts: options(o.Options),
		ACodec: unlessAuto(o.Audio), StartNumber: int(o.StartNumber), Redo: bool(w.j.Batch.SkipExisting),
		Can: w.canMake(), Note: w.note,
		Start: time.Duration(w.j.Input.Start), Length: time.Duration(w.j.Input.Duration),
		Video: in.Video.Params, Upright: w.upright.filters != "", Metadata: in.Metadata, Chapters: in.Chapters, Threads: w.coresEach(),
	}
	if !w.j.takesPackets() {
		return p
	}
	for i := range in.Streams {
		if s := in.Streams[i]; i != in.Video.Index && w.passes(s) {
			p.Streams = append(p.Streams, s.Params)
		}
	}
	return p
}

// canMake are the formats that pictures can be brought to.
func (w *way) canMake() []frame.PixelFormat { return kernels.Formats() }

// passes reports whether a stream goes from the input into the output beside the video. Covers and
// data (timed metadata, the track of a timecode, which is in the metadata too) do not.
func (w *way) passes(s decode.Stream) bool {
	switch s.Kind {
	case "audio":
		return !bool(w.j.Output.NoAudio)
	case "subtitle":
		return !bool(w.j.Output.NoSubtitles)
	case "attachment":
		return !s.Picture
	}
	return false
}
