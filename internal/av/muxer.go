package av

// #include "output.h"
// #include "picture.h"
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// ErrNoMuxer says that FFmpeg knows no container by that name.
var ErrNoMuxer = errors.New("no container is known by this name")

// Muxer writes a file. One goroutine at a time.
type Muxer struct {
	fc      *astiav.FormatContext
	pb      *astiav.IOContext
	scratch *astiav.Packet
	pic     *astiav.Frame
	lent    *lender
	streams []*muxStream
	buf     []byte // C memory, for packed pictures
	size    int64  // of the finished output

}

type muxStream struct {
	s    *astiav.Stream
	tb   astiav.Rational // of the packets that WritePacket gets
	last int64           // decoding time stamp in the output's time base, frame.NoPTS before the first
}

// NewMuxer makes a muxer for the container format, or for the one that suits name when that is
// empty. Nothing is opened yet.
func NewMuxer(format, name string) (*Muxer, error) {
	fc, err := astiav.AllocOutputFormatContext(nil, format, name)
	if err != nil || fc == nil {
		return nil, ErrNoMuxer
	}
	return &Muxer{fc: fc, scratch: astiav.AllocPacket(), pic: astiav.AllocFrame(), lent: newLender()}, nil
}

// Format is the name of the container, "mp4".
func (m *Muxer) Format() string { return m.fc.OutputFormat().Name() }

// GlobalHeader says that the container wants codec headers beside the stream.
func (m *Muxer) GlobalHeader() bool {
	return m.fc.OutputFormat().Flags().Has(astiav.IOFormatFlagGlobalheader)
}

// Open opens the output for writing; "-" is standard output. A regular file is emptied.
func (m *Muxer) Open(path string) error {
	to := "file:" + path
	if path == "-" {
		to = "pipe:1"
	}
	return explained(func() error {
		pb, err := astiav.OpenIOContext(to, astiav.NewIOContextFlags(astiav.IOContextFlagWrite))
		if err != nil {
			return failErr("open output", err)
		}
		m.pb = pb
		m.fc.SetPb(pb)
		return nil
	})
}

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

// AddEncoded adds the stream that an encoder makes and returns its number. like may be nil; the
// new stream then gets no metadata, disposition or display matrix.
func (m *Muxer) AddEncoded(e *Encoder, rate frame.Rational, like *StreamParams, matrix *[9]int32) (int, error) {
	s := m.fc.NewStream(nil)
	if err := s.CodecParameters().FromCodecContext(e.cc); err != nil {
		return 0, failErr("describe encoded stream", err)
	}
	s.SetTimeBase(e.cc.TimeBase())
	s.SetSampleAspectRatio(e.cc.SampleAspectRatio())
	if rate.Valid() {
		s.SetAvgFrameRate(astiav.NewRational(rate.Num, rate.Den))
	}
	if matrix != nil {
		b := unsafe.Slice((*byte)(unsafe.Pointer(matrix)), unsafe.Sizeof(*matrix))
		if err := s.AddSideData(astiav.PacketSideDataTypeDisplaymatrix, b); err != nil {
			return 0, failErr("set display matrix", err)
		}
	}
	if like != nil {
		C.pr_set_disposition(cStream(s), like.disposition)
		if err := m.setMetadata(s, like.metadata); err != nil {
			return 0, err
		}
	}
	return m.add(s, e.cc.TimeBase()), nil
}

// AddCopy adds a stream whose packets are copied from an input and returns its number.
func (m *Muxer) AddCopy(p *StreamParams) (int, error) {
	if C.pr_can_store(cFormat(m.fc), uint32(p.par.CodecID())) == 0 {
		return 0, fmt.Errorf("the %s container cannot hold %s", m.Format(), p.Codec())
	}
	s := m.fc.NewStream(nil)
	if err := p.par.Copy(s.CodecParameters()); err != nil {
		return 0, failErr("describe copied stream", err)
	}
	s.CodecParameters().SetCodecTag(0) // each container has its own
	s.SetTimeBase(p.timeBase)
	C.pr_set_disposition(cStream(s), p.disposition)
	if err := m.setMetadata(s, p.metadata); err != nil {
		return 0, err
	}
	return m.add(s, p.timeBase), nil
}

func (m *Muxer) add(s *astiav.Stream, tb astiav.Rational) int {
	m.streams = append(m.streams, &muxStream{s: s, tb: tb, last: frame.NoPTS})
	return len(m.streams) - 1
}

// SetMetadata sets the file's metadata.
func (m *Muxer) SetMetadata(kv map[string]string) error { return m.setMetadata(nil, kv) }

// notCarried are keys that describe the old file and would be wrong in the new one.
var notCarried = map[string]bool{"major_brand": true, "minor_version": true, "compatible_brands": true,
	"creation_time": true, "encoder": true, "duration": true, "rotate": true}

func (m *Muxer) setMetadata(s *astiav.Stream, kv map[string]string) error {
	var st *C.AVStream
	if s != nil {
		st = cStream(s)
	}
	for k, v := range kv {
		if notCarried[k] {
			continue
		}
		ck, cv := C.CString(k), C.CString(v)
		r := C.pr_set_metadata(cFormat(m.fc), st, ck, cv)
		C.free(unsafe.Pointer(ck))
		C.free(unsafe.Pointer(cv))
		if r < 0 {
			return fail("set metadata", int(r))
		}
	}
	return nil
}

// WriteHeader begins the file. All streams must have been added.
func (m *Muxer) WriteHeader() error {
	return explained(func() error { return failErr("write header", m.fc.WriteHeader(nil)) })
}

// WritePacket writes a packet of stream i at its place between those of other streams. The payload
// is taken over; p is blank afterwards. Time stamps are in the time base of the encoder or input.
func (m *Muxer) WritePacket(i int, p *Packet) error {
	s := m.streams[i]
	p.p.SetStreamIndex(i)
	p.p.RescaleTs(s.tb, s.s.TimeBase())
	s.order(p)
	err := failErr("write packet", m.fc.WriteInterleavedFrame(p.p))
	if err == nil {
		err = m.ioError()
	}
	return err
}

// order makes decoding time stamps known and strictly increasing, as containers demand.
func (s *muxStream) order(p *Packet) {
	pts, dts := p.PTS(), p.DTS()
	if dts == frame.NoPTS {
		dts = pts
	}
	switch {
	case dts == frame.NoPTS && s.last == frame.NoPTS:
		dts = 0
	case dts == frame.NoPTS:
		dts = s.last + max(1, p.Duration())
	case s.last != frame.NoPTS && dts <= s.last:
		dts = s.last + 1
	}
	if pts == frame.NoPTS || pts < dts {
		pts = dts
	}
	s.last = dts
	p.SetTimes(pts, dts)
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

// WritePicture writes a picture to stream 0 of a muxer that takes pictures, at once. The frame
// stays the caller's.
func (m *Muxer) WritePicture(f *frame.Frame, pts int64) error {
	r := C.pr_mux_picture(cFormat(m.fc), cPacket(m.scratch), cFrame(m.pic), m.lent.describe(f, pts))
	return m.written(r)
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

func (m *Muxer) ioError() error { return fail("write output", int(C.pr_io_error(cFormat(m.fc)))) }

// Bytes is how much was written so far; after Finish, the size of the output.
func (m *Muxer) Bytes() int64 {
	if m.fc == nil || m.pb == nil {
		return m.size
	}
	return int64(C.pr_io_bytes(cFormat(m.fc)))
}

// Finish writes what is left and closes the output. It reports any error that writing met.
func (m *Muxer) Finish() error {
	err := explained(func() error { return failErr("finish output", m.fc.WriteTrailer()) })
	m.size = int64(C.pr_io_size(cFormat(m.fc)))
	return errors.Join(err, m.closeOutput())
}

func (m *Muxer) closeOutput() error {
	if m.pb == nil {
		return nil
	}
	pb := m.pb
	m.pb = nil
	m.fc.SetPb(&astiav.IOContext{})
	return failErr("close output", pb.Close())
}

// Close releases the muxer; without a Finish before, what was written is of no use. Idempotent.
func (m *Muxer) Close() {
	if m.fc == nil {
		return
	}
	_ = m.closeOutput() // the output is given up
	m.fc.Free()
	m.fc = nil
	m.scratch.Free()
	m.pic.Free()
	m.lent.free()
	C.free(unsafe.Pointer(unsafe.SliceData(m.buf)))
	m.buf = nil
}
