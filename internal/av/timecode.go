package av

// #include <libavutil/timecode.h>
// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"github.com/pinring/pinring/frame"
)

// LaterTimecode is the timecode of the picture that comes a number of pictures after the one with timecode
// tc. False: tc is none, or none at that rate.
func LaterTimecode(tc string, pictures int64, rate frame.Rational) (string, bool) {
	text := C.CString(tc)
	defer C.free(unsafe.Pointer(text))
	var c C.AVTimecode
	if C.av_timecode_init_from_string(&c, cRational(rate), text, nil) < 0 {
		return "", false
	}
	var out [C.AV_TIMECODE_STR_SIZE]C.char
	return C.GoString(C.av_timecode_make_string(&c, &out[0], C.int(pictures))), true
}
