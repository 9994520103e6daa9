package av

// #include "output.h"
// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"github.com/asticode/go-astiav"
)

// Holds says whether the container can hold a codec, by the codec's name ("h264"). Containers that
// do not say are believed to.
func (m *Muxer) Holds(codec string) bool {
	c := C.CString(codec)
	defer C.free(unsafe.Pointer(c))
	return C.pr_can_store(cFormat(m.fc), c) != 0
}

// DefaultEncoder is FFmpeg's choice of an encoder for the container; kind is "video" or "audio".
// Empty when there is none.
func (m *Muxer) DefaultEncoder(kind string) string {
	return C.GoString(C.pr_default_encoder(cFormat(m.fc), boolInt(kind == "video")))
}

// EncoderCodec is the codec that an encoder makes ("h264" for libx264), empty when there is no such
// encoder.
func EncoderCodec(encoder string) string {
	c := C.CString(encoder)
	defer C.free(unsafe.Pointer(c))
	return C.GoString(C.pr_encoder_codec(c))
}

// EncoderKind is what an encoder encodes, "video", "audio" or "subtitle"; empty when there is no such
// encoder.
func EncoderKind(encoder string) string {
	c := astiav.FindEncoderByName(encoder)
	if c == nil {
		return ""
	}
	return C.GoString(C.av_get_media_type_string(cCodecType(c)._type))
}
