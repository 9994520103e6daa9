package av

// #include <libavutil/parseutils.h>
// #include <stdlib.h>
import "C"

import (
	"time"
	"unsafe"
)

// ParseTime is libavutil's own reading of a duration. Package config has one of its own, so that it
// needs no C; a test compares the two.
func ParseTime(s string) (time.Duration, error) {
	cs := C.CString(s)
	defer C.free(unsafe.Pointer(cs))
	var micros C.int64_t
	if err := fail("read a time", int(C.av_parse_time(&micros, cs, 1))); err != nil {
		return 0, err
	}
	return time.Duration(micros) * time.Microsecond, nil
}
