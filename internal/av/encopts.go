package av

// #include "encopts.h"
// #include <libavutil/mem.h>
// #include <stdlib.h>
import "C"

import (
	"strings"
	"unsafe"

	"github.com/asticode/go-astiav"
)

// EncoderOptionNames lists the options of a video encoder, its own first; nil when there is no such
// encoder.
func EncoderOptionNames(encoder string) []string {
	c := astiav.FindEncoderByName(encoder)
	if c == nil {
		return nil
	}
	return split(C.pr_encoder_options(cCodecType(c)))
}

// EncoderOptionValues lists the named values of an encoder's own option, nil when it has none.
func EncoderOptionValues(encoder, option string) []string {
	c := astiav.FindEncoderByName(encoder)
	if c == nil {
		return nil
	}
	o := C.CString(option)
	defer C.free(unsafe.Pointer(o))
	return split(C.pr_encoder_values(cCodecType(c), o))
}

func split(s *C.char) []string {
	defer C.av_free(unsafe.Pointer(s))
	text := C.GoString(s)
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// Encoders lists the names of all encoders of a kind, "video", "audio" or "subtitle".
func Encoders(kind string) []string {
	var out []string
	var it unsafe.Pointer
	for c := C.av_codec_iterate(&it); c != nil; c = C.av_codec_iterate(&it) {
		if C.av_codec_is_encoder(c) != 0 && C.GoString(C.av_get_media_type_string(c._type)) == kind {
			out = append(out, C.GoString(c.name))
		}
	}
	return out
}
