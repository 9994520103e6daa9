package av

// #include "output.h"
// #include "picture.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// AddPictures adds the stream of unencoded pictures like the given frame. wrapped is for muxers
// that take pictures themselves; others take packed bytes.
func (m *Muxer) AddPictures(like *frame.Frame, tb, rate frame.Rational, wrapped bool) {
	s := m.fc.NewStream(nil)
	id := uint32(C.AV_CODEC_ID_RAWVIDEO)
	if wrapped {
		id = C.AV_CODEC_ID_WRAPPED_AVFRAME
		m.fc.SetStrictStdCompliance(astiav.StrictStdComplianceUnofficial) // deep formats in Y4M
	}
	C.pr_raw_stream(cStream(s), id, m.lent.describe(like, 0), cRational(tb), cRational(rate))
	m.streams = append(m.streams, &muxStream{s: s, last: frame.NoPTS})
}

// WritePacked writes a picture as packed bytes to stream 0, at once. The frame stays the caller's.
func (m *Muxer) WritePacked(f *frame.Frame, pts, dts int64) error {
	n := PackedSize(f)
	if err := m.room(n); err != nil {
		return err
	}
	l := m.lent.describe(f, pts)
	dst := (*C.uint8_t)(unsafe.SliceData(m.buf))
	r := C.pr_pack(&l.data[0], &l.stride[0], l.format, l.width, l.height, dst, C.int(n))
	if r < 0 {
		return fail("pack picture", int(r))
	}
	return m.written(C.pr_mux_bytes(cFormat(m.fc), cPacket(m.scratch), dst, r, C.int64_t(pts), C.int64_t(dts)))
}

// WriteRows writes head and then the picture's rows without padding, straight from its memory, past
// the muxer. The frame stays the caller's.
func (m *Muxer) WriteRows(head string, f *frame.Frame) error {
	l := m.lent.describe(f, 0)
	var bytes [4]C.int
	for i := range f.NumPlanes {
		bytes[i] = C.int(f.Planes[i].RowBytes)
	}
	c := C.CString(head)
	defer C.free(unsafe.Pointer(c))
	C.pr_write_rows(cFormat(m.fc), c, l, &bytes[0])
	return m.ioError()
}

func (m *Muxer) written(r C.int) error {
	if r < 0 {
		return fail("write picture", int(r))
	}
	return m.ioError()
}

// room makes the buffer for packed pictures at least n bytes large.
func (m *Muxer) room(n int) error {
	if n <= len(m.buf) {
		return nil
	}
	C.free(unsafe.Pointer(unsafe.SliceData(m.buf)))
	m.buf = nil
	p := C.malloc(C.size_t(n))
	if p == nil {
		return fmt.Errorf("pack picture: out of memory asking for %d bytes", n)
	}
	m.buf = unsafe.Slice((*byte)(p), n)
	return nil
}
