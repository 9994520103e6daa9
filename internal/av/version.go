package av

// #include <libavcodec/avcodec.h>
// #include <libavformat/avformat.h>
// #include <libavutil/avutil.h>
import "C"

import "fmt"

// Library is one of FFmpeg's libraries with the version that the program runs with, which may be
// newer than the one it was built with.
type Library struct{ Name, Version string }

// Libraries lists them.
func Libraries() []Library {
	name := func(name string, v C.uint) Library {
		return Library{name, fmt.Sprintf("%d.%d.%d", v>>16, v>>8&0xff, v&0xff)}
	}
	return []Library{
		{"ffmpeg", C.GoString(C.av_version_info())},
		name("libavcodec", C.avcodec_version()),
		name("libavformat", C.avformat_version()),
		name("libavutil", C.avutil_version()),
	}
}
