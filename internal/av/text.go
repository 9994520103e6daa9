package av

// #include "text.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/asticode/go-astiav"
)

// Text converts subtitles of text from one codec to another. One goroutine at a time.
type Text struct{ c *C.pr_text }

// IsText says whether a codec's subtitles are text, by the codec's name.
func IsText(codec string) bool {
	c := C.CString(codec)
	defer C.free(unsafe.Pointer(c))
	return C.pr_is_text(c) != 0
}

// NewText opens decoder and encoder for a stream.
func NewText(in *StreamParams, encoder string) (*Text, error) {
	codec := astiav.FindEncoderByName(encoder)
	if codec == nil {
		return nil, fmt.Errorf("%w for subtitles (%s)", ErrNoEncoder, encoder)
	}
	t := &Text{}
	tb := C.AVRational{num: C.int(in.timeBase.Num()), den: C.int(in.timeBase.Den())}
	err := explained(func() error {
		return fail("open "+in.Codec()+" and "+encoder, int(C.pr_text_open(&t.c, cParameters(in.par), tb, cCodecType(codec))))
	})
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Convert makes of a packet, which stays the caller's, the one to be written; nil when it shows
// nothing.
func (t *Text) Convert(in *Packet) (*Packet, error) {
	out := NewPacket()
	r := C.pr_text_convert(t.c, cPacket(in.p), cPacket(out.p))
	if r <= 0 {
		out.Free()
		return nil, fail("convert subtitle", int(r))
	}
	return out, nil
}

// Close releases both codecs. Idempotent.
func (t *Text) Close() {
	C.pr_text_free(t.c)
	t.c = nil
}
