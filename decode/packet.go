package decode

import (
	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// ReleasePacket ends a packet that nobody wants. Idempotent.
func ReleasePacket(p *frame.Packet) { av.ReleasePacket(p) }
