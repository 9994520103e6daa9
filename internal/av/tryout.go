package av

// #include "encopts.h"
// #include "log.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/asticode/go-astiav"

	"github.com/pinring/pinring/frame"
)

// EncoderTakes reports whether an encoder's option can have the value, as far as that shows without opening
// the encoder. If not, allowed says what it takes, empty when only the encoder knows.
func EncoderTakes(encoder, option, value string) (ok bool, allowed string) {
	c := astiav.FindEncoderByName(encoder)
	if c == nil {
		return false, ""
	}
	o, v := C.CString(option), C.CString(value)
	defer C.free(unsafe.Pointer(o))
	defer C.free(unsafe.Pointer(v))
	var text [2048]C.char
	err := explained(func() error {
		return fail("set option", int(C.pr_encoder_takes(cCodecType(c), o, v, &text[0], C.size_t(len(text)))))
	})
	return err == nil, C.GoString(&text[0])
}

// TryEncoder opens an encoder for small pictures, and closes it. Parameters inside an option that the encoder
// does not know are errors, too; FFmpeg only warns of them.
func TryEncoder(o EncoderOptions, f frame.PixelFormat) error {
	like := &frame.Frame{Info: frame.Info{Format: f, Width: 320, Height: 192, SAR: frame.Rational{Num: 1, Den: 1}}}
	o.TimeBase, o.Rate, o.Threads = frame.Rational{Num: 1, Den: 25}, frame.Rational{Num: 25, Den: 1}, 1
	var warning [512]C.char
	err := explained(func() error {
		e, err := openEncoder(like, o)
		if err == nil {
			e.Close()
		}
		C.pr_log_first_warning(&warning[0], C.size_t(len(warning)))
		return err
	})
	if w := C.GoString(&warning[0]); err == nil && unknownParameter(w) {
		return fmt.Errorf("%s", strings.TrimSuffix(w, "."))
	}
	return err
}

// unknownParameter recognises what FFmpeg's wrappers of libx264, libx265 and SVT-AV1 warn of.
func unknownParameter(warning string) bool {
	for _, begin := range []string{"Error parsing option", "Unknown option", "Invalid value for"} {
		if strings.Contains(warning, begin) {
			return true
		}
	}
	return false
}
