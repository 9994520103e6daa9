package av

// #include "hdr.h"
import "C"

import (
	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// hdrMemory keeps the last metadata that was seen: they seldom change, and frames share them.
type hdrMemory struct{ last *frame.HDR }

// of reads a picture's metadata, nil when it has none.
func (m *hdrMemory) of(f *C.AVFrame) *frame.HDR {
	if f.nb_side_data == 0 {
		return nil
	}
	var c C.pr_hdr
	if C.pr_hdr_of_frame(f, &c) == 0 {
		return nil
	}
	if h := hdrFromC(&c); m.last == nil || *m.last != h {
		m.last = &h
	}
	return m.last
}

func streamHDR(s *astiav.Stream) *frame.HDR {
	var c C.pr_hdr
	if C.pr_hdr_of_stream(cStream(s), &c) == 0 {
		return nil
	}
	h := hdrFromC(&c)
	return &h
}

func hdrFromC(c *C.pr_hdr) (h frame.HDR) {
	r := func(v C.AVRational) frame.Rational { return frame.Rational{Num: int(v.num), Den: int(v.den)} }
	for i := range c.primaries {
		h.Primaries[i] = [2]frame.Rational{r(c.primaries[i][0]), r(c.primaries[i][1])}
	}
	h.White = [2]frame.Rational{r(c.white[0]), r(c.white[1])}
	h.MinLuminance, h.MaxLuminance = r(c.min_luminance), r(c.max_luminance)
	h.MaxCLL, h.MaxFALL = int(c.max_cll), int(c.max_fall)
	return h
}

func setHDR(s *astiav.Stream, h *frame.HDR) error {
	if h == nil {
		return nil
	}
	var c C.pr_hdr
	for i := range h.Primaries {
		c.primaries[i] = [2]C.AVRational{cRational(h.Primaries[i][0]), cRational(h.Primaries[i][1])}
	}
	c.white = [2]C.AVRational{cRational(h.White[0]), cRational(h.White[1])}
	c.min_luminance, c.max_luminance = cRational(h.MinLuminance), cRational(h.MaxLuminance)
	c.max_cll, c.max_fall = C.int(h.MaxCLL), C.int(h.MaxFALL)
	return fail("set HDR metadata", int(C.pr_hdr_set(cStream(s), &c)))
}
