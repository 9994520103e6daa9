package avtest

import (
	"context"
	"errors"
	"io"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/encode"
)

// Run moves all frames from a source to a sink, finishes the sink, and closes both.
func Run(ctx context.Context, src *decode.Source, sink *encode.Sink) error {
	defer src.Close()
	defer sink.Close()
	for {
		f, err := src.Next(ctx)
		if errors.Is(err, io.EOF) {
			return sink.Finish(ctx)
		}
		if err != nil {
			return err
		}
		if err := sink.Write(ctx, f); err != nil {
			return err
		}
	}
}

// Convert decodes and encodes a file.
func Convert(ctx context.Context, dp decode.Params, ep encode.Params) (decode.Stats, encode.Stats, error) {
	src, err := decode.Open(ctx, dp)
	if err != nil {
		return decode.Stats{}, encode.Stats{}, err
	}
	sink, err := encode.Open(ctx, ep)
	if err != nil {
		src.Close()
		return decode.Stats{}, encode.Stats{}, err
	}
	err = Run(ctx, src, sink)
	return src.Stats(), sink.Stats(), err
}
