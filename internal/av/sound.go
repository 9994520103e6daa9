package av

// #include "sound.h"
import "C"

import (
	"fmt"
	"time"

	"github.com/asticode/go-astiav"
)

// Sound decodes a stream of sound and encodes it anew. One goroutine at a time.
type Sound struct{ c *C.pr_sound }

// NewSound opens decoder and encoder for a stream. bitRate is in bits per second, 0 for what suits
// the number of channels.
func NewSound(in *StreamParams, encoder string, bitRate int64, globalHeader bool) (*Sound, error) {
	codec := astiav.FindEncoderByName(encoder)
	if codec == nil || EncoderKind(encoder) != "audio" {
		return nil, fmt.Errorf("%w for sound (%s)", ErrNoEncoder, encoder)
	}
	s := &Sound{}
	tb := C.AVRational{num: C.int(in.timeBase.Num()), den: C.int(in.timeBase.Den())}
	err := explained(func() error {
		return fail("open "+in.Codec()+" and "+encoder, int(C.pr_sound_open(&s.c, cParameters(in.par), tb, cCodecType(codec),
			C.int64_t(bitRate), boolInt(globalHeader))))
	})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Cut leaves samples before time 0 out, if begins, and those after length, if that is not 0. Call it before Send.
func (s *Sound) Cut(begins bool, length time.Duration) {
	C.pr_sound_cut(s.c, boolInt(begins), C.int64_t(length.Microseconds()))
}

// Send takes a packet, which stays the caller's; nil says that none follows. Receive must have
// returned Again before the next Send. Damage in the packet is no error.
func (s *Sound) Send(p *Packet) error {
	var c *C.AVPacket
	if p != nil {
		c = cPacket(p.p)
	}
	return fail("encode sound", int(C.pr_sound_send(s.c, c)))
}

// Receive fills p with the next packet.
func (s *Sound) Receive(p *Packet) (Status, error) {
	switch r := C.pr_sound_receive(s.c, cPacket(p.p)); {
	case r >= 0:
		return Got, nil
	case r == C.int(astiav.ErrEagain):
		return Again, nil
	case r == C.int(astiav.ErrEof):
		return Ended, nil
	default:
		return Broken, fail("encode sound", int(r))
	}
}

// Damaged is how many packets could not be decoded.
func (s *Sound) Damaged() int64 { return int64(C.pr_sound_damaged(s.c)) }

// Close releases both codecs. Idempotent.
func (s *Sound) Close() {
	C.pr_sound_free(s.c)
	s.c = nil
}
