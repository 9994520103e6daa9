package main

import (
	"fmt"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/kernels"
)

// stagedAs says in which pixel format pictures are staged. As they are decoded, unless the user wants
// otherwise, or something is to be computed of pictures in a format that no kernel knows: those are
// converted on the host to the nearest that kernels know, and the user is told once.
func (w *way) stagedAs(chain kernels.Chain) func(frame.Info) frame.PixelFormat {
	if w.j.Staging.Format == "rgb24" {
		return func(frame.Info) frame.PixelFormat { return frame.RGB24 }
	}
	var first *frame.Info
	nearest := map[frame.PixelFormat]frame.PixelFormat{} // of formats met so far
	return func(in frame.Info) frame.PixelFormat {
		if first == nil {
			first = &in
		}
		if kernels.Has(in.Format) || !av.Converts(in.Format) || !w.computes(chain, in, *first) {
			return in.Format
		}
		to, met := nearest[in.Format]
		if !met {
			to = av.BestFormat(kernels.Formats(), in.Format)
			nearest[in.Format] = to
			w.note(fmt.Sprintf("warning: no kernel knows pixel format %s: pictures are converted to %s on the host first", in.Format, to))
		}
		return to
	}
}

// computes reports whether kernels have anything to do with pictures of in.
func (w *way) computes(chain kernels.Chain, in, first frame.Info) bool {
	changed := in.Format != first.Format || in.Width != first.Width || in.Height != first.Height
	return !chain.Empty() || w.sink.Format(in.Format) != in.Format || changed && !w.sink.FollowsSize()
}
