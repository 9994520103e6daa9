package decode

import (
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Input describes what was opened.
type Input struct {
	Path     string
	Format   string        // FFmpeg's names of the container, "mov,mp4,m4a,3gp,3g2,mj2"
	Duration time.Duration // as the container says, 0 when unknown
	BitRate  int64         // bits per second, 0 when unknown
	Metadata map[string]string
	Streams  []Stream  // all of them
	Chapters []Chapter // their times count from where the frames' do

	Video   Stream     // the one that is decoded
	Info    frame.Info // what its frames will look like, as far as the container knows
	Decoder string     // FFmpeg's name of the decoder
	Threads int        // decoder threads in use
	// UsesSlots is false when nobody lends memory, or the decoder cannot write into it.
	UsesSlots bool
	Slots     int // slots that are asked for, 0 without UsesSlots
	// Shift is what was taken off all time stamps so that the file begins at 0.
	Shift time.Duration
}

// Chapter is a named part of the input. It goes to package encode as it is.
type Chapter = av.Chapter

// chapters moves the file's chapters to the clock of the frames, and cuts them to the part that is
// read.
func (s *Source) chapters() (out []Chapter) {
	for _, c := range s.in.Chapters() {
		if c = c.Shifted(s.clock.offset); c.Cut(s.span.duration) {
			out = append(out, c)
		}
	}
	return out
}

// IsStdin reports whether a path means standard input.
func IsStdin(path string) bool { return av.IsStdin(path) }

// Input says what was opened. The maps and slices in it must not be changed.
func (s *Source) Input() Input { return s.about }

func (s *Source) describe() Input {
	v := s.in.Streams[s.video]
	in := Input{
		Path: s.p.Path, Format: s.in.Format, Duration: s.in.Duration, BitRate: s.in.BitRate,
		Metadata: s.in.Metadata, Streams: s.in.Streams, Video: v, Chapters: s.chapters(),
		Info: frame.Info{Format: v.Format, Width: v.Width, Height: v.Height, Color: v.Color, SAR: v.SAR,
			TimeBase: v.TimeBase, FrameRate: v.FrameRate},
		Decoder: s.dec.Name(), Threads: s.dec.Threads(), UsesSlots: s.slots != nil,
		Shift: time.Duration(-s.clock.offset) * time.Microsecond,
	}
	if in.UsesSlots {
		in.Slots = s.slotsNeeded()
	}
	return in
}
