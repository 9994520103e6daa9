//go:build linux && cgo

package pipeline_test

import (
	"context"
	"crypto/md5"
	"errors"
	"sync"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/frame/frametest"
)

// sink records what it gets.
type sink struct {
	format  frame.PixelFormat // wanted; empty takes anything
	follows bool
	held    int
	failAt  int64
	hook    func(f *frame.Frame) // runs before anything else in Write

	mu       sync.Mutex
	sums     [][md5.Size]byte
	metas    []frame.Meta
	infos    []frame.Info
	blocks   []*frame.Block
	frames   []*frame.Frame
	holding  []*frame.Frame
	finished bool
	partial  bool
}

func (s *sink) Partial() { s.partial = true }

func (s *sink) Format(f frame.PixelFormat) frame.PixelFormat {
	if s.format != "" {
		return s.format
	}
	return f
}

func (s *sink) FollowsSize() bool { return s.follows }
func (s *sink) MaxHeld() int      { return s.held }

func (s *sink) Write(_ context.Context, f *frame.Frame) error {
	if s.hook != nil {
		s.hook(f)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failAt > 0 && f.Index == s.failAt {
		f.Release()
		return errSink
	}
	s.sums = append(s.sums, frametest.Sum(f))
	s.metas = append(s.metas, f.Meta)
	s.infos = append(s.infos, f.Info)
	s.blocks = append(s.blocks, f.Block)
	s.frames = append(s.frames, f)
	s.holding = append(s.holding, f)
	for len(s.holding) > s.held {
		s.holding[0].Release()
		s.holding = s.holding[1:]
	}
	return nil
}

func (s *sink) Finish(context.Context) error {
	s.finished = true
	for _, f := range s.holding {
		f.Release()
	}
	s.holding = nil
	return nil
}

var errSink = errors.New("the sink is full")
