package av

// #include "outfile.h"
// #include "output.h"
// #include <stdlib.h>
import "C"

import (
	"errors"
	"os"
	"syscall"
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// ErrNoMuxer says that FFmpeg knows no container by that name.
var ErrNoMuxer = errors.New("no container is known by this name")

// Muxer writes a file. One goroutine at a time, but for Hurry.
type Muxer struct {
	fc      *astiav.FormatContext
	stream  *C.pr_stream // a pipe and the like; nil for files
	open    bool
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
	// exact is set for copied sound: its clock counts samples, whatever the input's time stamps are
	// rounded to. delta is libavutil's memory of the rounding.
	exact bool
	delta C.int64_t
	// together is set for subtitles, which may come several at once, where the container allows that.
	together bool
}

// NewMuxer makes a muxer for the container format, or for the one that suits name when that is
// empty. Nothing is opened yet.
func NewMuxer(format, name string) (*Muxer, error) {
	var fc *astiav.FormatContext
	err := explained(func() (err error) {
		fc, err = astiav.AllocOutputFormatContext(nil, format, name)
		return err
	})
	if err != nil || fc == nil {
		return nil, ErrNoMuxer
	}
	if fc.OutputFormat().Name() == "mp4" { // FFmpeg 5.1 calls FLAC in MP4 an experiment; players know it
		fc.SetStrictStdCompliance(astiav.StrictStdComplianceExperimental)
	}
	return &Muxer{fc: fc, scratch: astiav.AllocPacket(), pic: astiav.AllocFrame(), lent: newLender()}, nil
}

// Format is the name of the container, "mp4".
func (m *Muxer) Format() string { return m.fc.OutputFormat().Name() }

// GlobalHeader says that the container wants codec headers beside the stream.
func (m *Muxer) GlobalHeader() bool {
	return m.fc.OutputFormat().Flags().Has(astiav.IOFormatFlagGlobalheader)
}

// Open opens the output for writing; "-" is standard output. A regular file is emptied. A pipe that
// nobody reads makes Open wait.
func (m *Muxer) Open(path string) error {
	if path == "-" {
		return m.openStream(1, 0)
	}
	if st, err := os.Stat(path); err == nil && st.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		fd, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_CLOEXEC, 0)
		if err != nil {
			return &os.PathError{Op: "open", Path: path, Err: err}
		}
		return m.openStream(C.int(fd), 1)
	}
	c := C.CString(path)
	defer C.free(unsafe.Pointer(c))
	err := explained(func() error { return fail("open output", int(C.pr_out_file(cFormat(m.fc), c))) })
	m.open = err == nil
	return err
}

func (m *Muxer) openStream(fd, own C.int) error {
	m.stream = C.pr_out_stream(cFormat(m.fc), fd, own)
	if m.stream == nil {
		return errors.New("open output: out of memory")
	}
	m.open = true
	return nil
}

// Hurry makes a write to a pipe fail with ErrInterrupted when the reader takes nothing for a second.
// Any goroutine; not during or after Close.
func (m *Muxer) Hurry() {
	if m.stream != nil {
		C.pr_stream_hurry(m.stream)
	}
}

// WriteHeader begins the file. All streams must have been added. options are the container's own;
// those that it does not have are ignored.
func (m *Muxer) WriteHeader(options map[string]string) error {
	d := astiav.NewDictionary()
	defer d.Free()
	for k, v := range options {
		if err := d.Set(k, v, 0); err != nil {
			return failErr("set option "+k, err)
		}
	}
	C.pr_default_dispositions(cFormat(m.fc))
	return explained(func() error { return failErr("write header", m.fc.WriteHeader(d)) })
}

// WritePacket writes a packet of stream i at its place between those of other streams. The payload
// is taken over; p is blank afterwards. Time stamps are in the time base of the encoder or input.
func (m *Muxer) WritePacket(i int, p *Packet) error {
	s := m.streams[i]
	p.p.SetStreamIndex(i)
	if s.exact {
		C.pr_rescale_sound(cPacket(p.p), cStream(s.s), C.AVRational{num: C.int(s.tb.Num()), den: C.int(s.tb.Den())}, &s.delta)
	} else {
		p.p.RescaleTs(s.tb, s.s.TimeBase())
	}
	s.order(p)
	err := failErr("write packet", m.fc.WriteInterleavedFrame(p.p))
	if err == nil {
		err = m.ioError()
	}
	return err
}

// order makes decoding time stamps known and increasing, as containers demand.
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
	case s.last != frame.NoPTS && dts == s.last && s.together:
	case s.last != frame.NoPTS && dts <= s.last:
		dts = s.last + 1
	}
	if pts == frame.NoPTS || pts < dts {
		pts = dts
	}
	s.last = dts
	p.SetTimes(pts, dts)
}

func (m *Muxer) ioError() error { return fail("write output", int(C.pr_io_error(cFormat(m.fc)))) }

// Bytes is how much was written so far; after Finish, the size of the output.
func (m *Muxer) Bytes() int64 {
	if m.fc == nil || !m.open {
		return m.size
	}
	return int64(C.pr_io_bytes(cFormat(m.fc)))
}

// Finish writes what is left and closes the output. It reports any error that writing met.
func (m *Muxer) Finish() error {
	err := explained(func() error { return failErr("finish output", m.fc.WriteTrailer()) })
	m.size = int64(C.pr_io_size(cFormat(m.fc)))
	if closed := m.closeOutput(); err == nil {
		err = closed // else the same disk is full once more
	}
	return err
}

func (m *Muxer) closeOutput() error {
	if !m.open {
		return nil
	}
	s := m.stream
	m.open, m.stream = false, nil
	return fail("close output", int(C.pr_out_close(cFormat(m.fc), s)))
}

// Close releases the muxer; without a Finish before, what was written is of no use. Idempotent.
func (m *Muxer) Close() {
	if m.fc == nil {
		return
	}
	m.Hurry()           // nobody needs what is still in the buffer
	_ = m.closeOutput() // the output is given up
	m.fc.Free()
	m.fc = nil
	m.scratch.Free()
	m.pic.Free()
	m.lent.free()
	C.free(unsafe.Pointer(unsafe.SliceData(m.buf)))
	m.buf = nil
}
