package av

// #include <libavformat/avformat.h>
// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"github.com/pinring/pinring/frame"
)

// Chapter is a named part of a file.
type Chapter struct {
	ID         int64
	TimeBase   frame.Rational
	Start, End int64 // in TimeBase
	Metadata   map[string]string
}

// Chapters lists the chapters of the input, their times as the file has them.
func (in *Input) Chapters() []Chapter {
	fc := cFormat(in.fc)
	var out []Chapter
	for _, c := range unsafe.Slice(fc.chapters, int(fc.nb_chapters)) {
		out = append(out, Chapter{ID: int64(c.id), Start: int64(c.start), End: int64(c.end),
			TimeBase: frame.Rational{Num: int(c.time_base.num), Den: int(c.time_base.den)}, Metadata: entries(c.metadata)})
	}
	return out
}

// Shifted is the chapter moved by micros microseconds.
func (c Chapter) Shifted(micros int64) Chapter {
	by := Rescale(micros, Microseconds, c.TimeBase)
	c.Start, c.End = c.Start+by, c.End+by
	return c
}

// Cut leaves what lies between 0 and micros microseconds, 0 for no end; false says that nothing does.
func (c *Chapter) Cut(micros int64) bool {
	c.Start = max(c.Start, 0)
	if micros > 0 {
		c.End = min(c.End, Rescale(micros, Microseconds, c.TimeBase))
	}
	return c.End > c.Start
}

// entries reads a dictionary, nil when it is empty.
func entries(d *C.AVDictionary) map[string]string {
	var out map[string]string
	none := C.CString("")
	defer C.free(unsafe.Pointer(none))
	for e := C.av_dict_get(d, none, nil, C.AV_DICT_IGNORE_SUFFIX); e != nil; e = C.av_dict_get(d, none, e, C.AV_DICT_IGNORE_SUFFIX) {
		if out == nil {
			out = map[string]string{}
		}
		out[C.GoString(e.key)] = C.GoString(e.value)
	}
	return out
}
