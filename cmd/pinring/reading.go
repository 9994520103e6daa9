package main

import (
	"fmt"
	"strings"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/pipeline"
	"github.com/pinring/pinring/report"
)

// reading puts into p what the user wants of the input, and how far it is trusted.
func (j *job) reading(p *decode.Params) {
	in := j.Input
	p.Start, p.Duration = in.Start, in.Duration
	p.OnError = decode.Policies[string(in.OnError)]
	p.References = bool(in.Limits.References)
	p.MaxPixels, p.MaxStreams = int64(in.Limits.Pixels), int(in.Limits.Streams)
	p.ProbeSize, p.Analyze = int64(in.Limits.ProbeSize), in.Limits.Analyze
	p.GiveUpBytes, p.GiveUpAfter = int64(in.Limits.GiveUpBytes), in.Limits.GiveUpAfter
}

// tellFrames says what became of the frames. Those that a policy left out were decoded and discarded.
func tellFrames(res *pipeline.Result, d decode.Stats) *report.Frames {
	return &report.Frames{
		Decoded: res.Admitted + d.Dropped, Delivered: res.Delivered, Discarded: res.Discarded + d.Dropped,
		Concealed: d.Concealed, Undecodable: d.DiscardedDamaged, Repeated: d.Replaced + d.Filled, Trimmed: d.Trimmed,
		OutsideSlots: d.Elsewhere, CopiedToEncoder: res.CopiedToEncoder,
	}
}

// lostFrames is the error of a run that went through but did not deliver all that was in the file.
func lostFrames(d decode.Stats, res *pipeline.Result) error {
	n := d.DiscardedDamaged + d.Dropped + d.Replaced + res.Discarded
	if n == 0 && d.ReadError == "" {
		return nil
	}
	var why []string
	if again := d.Replaced + d.Filled; again > 0 {
		why = append(why, fmt.Sprintf("the picture before is shown in place of %d", again))
	}
	if d.TooLarge {
		why = append(why, "pictures are larger than --max-pixels allows")
	}
	if d.ReadError != "" {
		why = append(why, d.ReadError)
	}
	return &lostError{frames: n, why: strings.Join(why, "; ")}
}
