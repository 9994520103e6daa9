package av

// #include "output.h"
// #include "sound.h"
// #include "text.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// VideoTraits is what an encoded stream is told beside its pictures.
type VideoTraits struct {
	Rate   frame.Rational // nominal, may be unknown
	Like   *StreamParams  // gives metadata and disposition; may be nil
	Matrix *[9]int32      // display matrix, nil for none
	HDR    *frame.HDR     // nil for none
	// Timecode replaces that of Like; empty: it stays.
	Timecode string
}

// AddEncoded adds the stream that an encoder makes and returns its number.
func (m *Muxer) AddEncoded(e *Encoder, t VideoTraits) (int, error) {
	s := m.fc.NewStream(nil)
	if err := s.CodecParameters().FromCodecContext(e.cc); err != nil {
		return 0, failErr("describe encoded stream", err)
	}
	C.pr_tag_stream(cFormat(m.fc), cStream(s))
	s.SetTimeBase(e.cc.TimeBase())
	s.SetSampleAspectRatio(e.cc.SampleAspectRatio())
	if t.Rate.Valid() {
		s.SetAvgFrameRate(astiav.NewRational(t.Rate.Num, t.Rate.Den))
	}
	if t.Matrix != nil {
		b := unsafe.Slice((*byte)(unsafe.Pointer(t.Matrix)), unsafe.Sizeof(*t.Matrix))
		if err := s.AddSideData(astiav.PacketSideDataTypeDisplaymatrix, b); err != nil {
			return 0, failErr("set display matrix", err)
		}
	}
	if err := setHDR(s, t.HDR); err != nil {
		return 0, err
	}
	if err := m.resemble(s, t.Like, true); err != nil {
		return 0, err
	}
	if t.Timecode != "" {
		if err := setMetadata(&cStream(s).metadata, map[string]string{"timecode": t.Timecode}); err != nil {
			return 0, err
		}
	}
	return m.add(s, e.cc.TimeBase()), nil
}

// AddCopy adds a stream whose packets are copied from an input and returns its number.
func (m *Muxer) AddCopy(p *StreamParams) (int, error) {
	if p.kind != "attachment" && !m.Holds(p.Codec()) {
		return 0, fmt.Errorf("the %s container cannot hold %s", m.Format(), p.Codec())
	}
	s := m.fc.NewStream(nil)
	if err := p.par.Copy(s.CodecParameters()); err != nil {
		return 0, failErr("describe copied stream", err)
	}
	s.CodecParameters().SetCodecTag(0) // each container has its own
	s.SetTimeBase(p.timeBase)
	if err := m.resemble(s, p, false); err != nil {
		return 0, err
	}
	n := m.add(s, p.timeBase)
	m.streams[n].exact = p.kind == "audio" && p.par.SampleRate() > 0
	m.streams[n].delta = C.AV_NOPTS_VALUE
	return n, nil
}

// AddSound adds the stream that a sound encoder makes of the given one, and returns its number.
func (m *Muxer) AddSound(e *Sound, like *StreamParams) (int, error) {
	return m.addMade(like, C.pr_sound_codec(e.c))
}

// AddText adds the stream of converted subtitles, and returns its number.
func (m *Muxer) AddText(e *Text, like *StreamParams) (int, error) {
	return m.addMade(like, C.pr_text_codec(e.c))
}

func (m *Muxer) addMade(like *StreamParams, c *C.AVCodecContext) (int, error) {
	s := m.fc.NewStream(nil)
	if r := C.pr_describe_made(cStream(s), c); r < 0 {
		return 0, fail("describe encoded stream", int(r))
	}
	if err := m.resemble(s, like, true); err != nil {
		return 0, err
	}
	return m.add(s, s.TimeBase()), nil
}

func (m *Muxer) add(s *astiav.Stream, tb astiav.Rational) int {
	m.streams = append(m.streams, &muxStream{s: s, tb: tb, last: frame.NoPTS,
		together: s.CodecParameters().MediaType() == astiav.MediaTypeSubtitle && m.Format() != "mp4" && m.Format() != "mov"})
	return len(m.streams) - 1
}

// resemble gives a stream the disposition and metadata of another; made says that it was encoded
// anew, so that what describes the old encoding is wrong. like may be nil.
func (m *Muxer) resemble(s *astiav.Stream, like *StreamParams, made bool) error {
	if like == nil {
		return nil
	}
	C.pr_set_disposition(cStream(s), like.disposition)
	kv := map[string]string{}
	for k, v := range like.metadata {
		if !made || !describesEncoding(k) {
			kv[k] = v
		}
	}
	return setMetadata(&cStream(s).metadata, kv)
}

// describesEncoding says whether a key is about the old packets. Matroska's writers leave their
// statistics in such tags.
func describesEncoding(key string) bool {
	for _, p := range []string{"BPS", "NUMBER_OF_", "_STATISTICS_", "DURATION", "encoder", "ENCODER"} {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	return false
}

// SetMetadata sets the file's metadata.
func (m *Muxer) SetMetadata(kv map[string]string) error {
	return setMetadata(&cFormat(m.fc).metadata, kv)
}

// notCarried are keys that describe the old file and would be wrong in the new one.
var notCarried = map[string]bool{"major_brand": true, "minor_version": true, "compatible_brands": true,
	"creation_time": true, "encoder": true, "duration": true, "rotate": true}

func setMetadata(d **C.AVDictionary, kv map[string]string) error {
	for k, v := range kv {
		if notCarried[strings.ToLower(k)] {
			continue
		}
		ck, cv := C.CString(k), C.CString(v)
		r := C.av_dict_set(d, ck, cv, 0)
		C.free(unsafe.Pointer(ck))
		C.free(unsafe.Pointer(cv))
		if r < 0 {
			return fail("set metadata", int(r))
		}
	}
	return nil
}

// AddChapters adds chapters, whose times count from the file's beginning.
func (m *Muxer) AddChapters(chapters []Chapter) error {
	for _, ch := range chapters {
		c := C.pr_add_chapter(cFormat(m.fc), C.int64_t(ch.ID), cRational(ch.TimeBase), C.int64_t(ch.Start), C.int64_t(ch.End))
		if c == nil {
			return fmt.Errorf("add chapter: out of memory")
		}
		if err := setMetadata(&c.metadata, ch.Metadata); err != nil {
			return err
		}
	}
	return nil
}
