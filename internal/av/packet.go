package av

// #include <libavcodec/avcodec.h>
import "C"

import (
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// Packet holds one compressed packet at a time.
type Packet struct{ p *astiav.Packet }

// NewPacket allocates an empty packet.
func NewPacket() *Packet { return &Packet{p: astiav.AllocPacket()} }

// Stream is the index of the stream that the packet belongs to.
func (p *Packet) Stream() int { return p.p.StreamIndex() }

// PTS is the presentation time in the stream's time base, frame.NoPTS when unknown.
func (p *Packet) PTS() int64 { return p.p.Pts() }

// DTS is the decoding time in the stream's time base, frame.NoPTS when unknown.
func (p *Packet) DTS() int64 { return p.p.Dts() }

// Duration is in the stream's time base, 0 when unknown.
func (p *Packet) Duration() int64 { return p.p.Duration() }

// SetTimes replaces both time stamps.
func (p *Packet) SetTimes(pts, dts int64) { p.p.SetPts(pts); p.p.SetDts(dts) }

// SetDuration replaces the duration.
func (p *Packet) SetDuration(d int64) { p.p.SetDuration(d) }

// Bytes is the size of the payload.
func (p *Packet) Bytes() int { return p.p.Size() }

// Payload is the packet's bytes, valid until it is unreferenced. It must not be changed.
func (p *Packet) Payload() []byte {
	c := cPacket(p.p)
	return unsafe.Slice((*byte)(c.data), int(c.size))
}

// Own is the packet's bytes, to be changed: a payload that others refer to is copied before. Nil when there
// is no memory for that.
func (p *Packet) Own() []byte {
	if C.av_packet_make_writable(cPacket(p.p)) < 0 {
		return nil
	}
	return p.Payload()
}

// KeyFrame reports that decoding may begin with the packet.
func (p *Packet) KeyFrame() bool { return p.p.Flags().Has(astiav.PacketFlagKey) }

// Damaged reports that the demuxer found the packet damaged.
func (p *Packet) Damaged() bool { return p.p.Flags().Has(astiav.PacketFlagCorrupt) }

// Skipped reports that an edit list of the file leaves the packet's picture out.
func (p *Packet) Skipped() bool { return p.p.Flags().Has(astiav.PacketFlagDiscard) }

// Unref drops the payload; the Packet can be used again.
func (p *Packet) Unref() { p.p.Unref() }

// Clone makes a second packet that refers to the same payload.
func (p *Packet) Clone() *Packet {
	if c := p.p.Clone(); c != nil {
		return &Packet{p: c}
	}
	return nil
}

// Free drops the payload and the packet itself.
func (p *Packet) Free() {
	if p.p != nil {
		p.p.Free()
		p.p = nil
	}
}

// ReleasePacket ends a packet that travelled as a frame.Packet.
func ReleasePacket(p *frame.Packet) {
	if n, ok := p.Native.(*Packet); ok && n != nil {
		n.Free()
	}
	p.Native = nil
}
