package main

import (
	"context"
	"errors"
	"io"

	"github.com/pinring/pinring/decode"
	"github.com/pinring/pinring/frame"
)

// looped reads a file again and again. The pipeline's frame limit ends it.
type looped struct {
	*decode.Source
	rounds int
}

// Next is the source's; at the end of the file it begins anew.
func (l *looped) Next(ctx context.Context) (*frame.Frame, error) {
	f, err := l.Source.Next(ctx)
	if !errors.Is(err, io.EOF) {
		return f, err
	}
	if err := l.Rewind(); err != nil {
		return nil, err
	}
	l.rounds++
	return l.Source.Next(ctx)
}
