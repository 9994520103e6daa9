package main

import (
	"path/filepath"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
	"github.com/pinring/pinring/kernels"
)

// settings is what the user wants written, whatever the input is.
func (j *job) settings() encode.Params {
	o := j.Output
	return encode.Params{
		Output: j.output, Overwrite: bool(o.Yes), Input: j.input,
		VCodec: unlessAuto(o.Codec), Preset: unlessAuto(o.Preset), CRF: quality(o.CRF), BitRate: int64(o.BitRate), Opts: options(o.Options),
		ACodec: unlessAuto(o.Audio), StartNumber: int(o.StartNumber), Redo: bool(j.Batch.SkipExisting),
		Can: kernels.Formats(), Start: j.Input.Start, Length: j.Input.Duration,
	}
}

// checkSettings refuses settings of the output that are wrong for any input, before one is opened.
func (j *job) checkSettings() error {
	return at(stageOutput, explainEncode(encode.CheckSettings(j.settings())))
}

// checkAllSettings refuses settings that suit none of the outputs. Where the inputs' names decide what the outputs
// are, some of them may be of no use, which does not stop the others. Of outputs of one kind one is looked at.
func checkAllSettings(c config.Config, tasks []task) (first error) {
	looked := map[string]bool{}
	for _, t := range tasks {
		kind := filepath.Ext(t.output)
		if encode.IsImage(t.output) {
			kind = filepath.Base(t.output) // the pattern may be wrong, too
		}
		if looked[kind] {
			continue
		}
		looked[kind] = true
		j := &job{Config: c, input: t.input, output: t.output}
		err := j.checkSettings()
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// sinkParams is what the user wants written, and what of the input goes along.
func (w *way) sinkParams(in decode.Input) encode.Params {
	p := w.j.settings()
	p.Note, p.Threads = w.note, w.coresEach()
	p.Video, p.Upright, p.Metadata, p.Chapters = in.Video.Params, w.upright.filters != "", in.Metadata, in.Chapters
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
