package encode

import (
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// discard writes nothing.
type discard struct{}

func (discard) format(f frame.PixelFormat) frame.PixelFormat { return f }
func (discard) maxHeld() int                                 { return 0 }
func (discard) followsSize() bool                            { return true }
func (discard) write(f *frame.Frame) error                   { f.Release(); return nil }
func (discard) packet(p *frame.Packet) error                 { release(p); return nil }
func (discard) partial() string                              { return "" }
func (discard) finish() error                                { return nil }
func (discard) written() int64                               { return 0 }
func (discard) hurry()                                       {}
func (discard) close()                                       {}

func release(p *frame.Packet) { av.ReleasePacket(p) }
