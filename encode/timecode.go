package encode

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// timecodeKey is the metadata that muxers make a timecode track or tag of.
const timecodeKey = "timecode"

// timecodes are those of the stream and of the file for a part that begins with frame f: they count on
// from the beginning of the input.
func (c *coded) timecodes(f *frame.Frame) (stream string, file map[string]string) {
	file = c.p.Metadata
	if c.p.Start == 0 {
		return "", file
	}
	_, tc := timecodeIn(c.p.Video.Metadata())
	stream = c.later(tc, f)
	key, tc := timecodeIn(file)
	if tc = c.later(tc, f); tc != "" {
		file = maps.Clone(file)
		file[key] = tc
	}
	return stream, file
}

// timecodeIn finds the timecode among tags, whose keys have no case: Matroska writes TIMECODE.
func timecodeIn(tags map[string]string) (key, tc string) {
	for k, v := range tags {
		if strings.EqualFold(k, timecodeKey) {
			return k, v
		}
	}
	return "", ""
}

// later is the timecode of frame f in an input that begins with tc, empty when tc is.
func (c *coded) later(tc string, f *frame.Frame) string {
	if tc == "" {
		return ""
	}
	rate := f.FrameRate
	if !rate.Valid() {
		rate = fallbackRate
	}
	at := c.p.Start
	if f.PTS != frame.NoPTS && f.TimeBase.Valid() {
		at += time.Duration(av.Rescale(f.PTS, f.TimeBase, av.Microseconds)) * time.Microsecond
	}
	frames := av.Rescale(at.Microseconds(), av.Microseconds, frame.Rational{Num: rate.Den, Den: rate.Num})
	out, ok := av.LaterTimecode(tc, frames, rate)
	if !ok {
		c.note(fmt.Sprintf("the timecode %q does not fit %d/%d frames a second: it is left as it is", tc, rate.Num, rate.Den))
		return tc
	}
	return out
}
