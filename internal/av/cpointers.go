package av

// #include <libavcodec/avcodec.h>
// #include <libavformat/avformat.h>
import "C"

import (
	"unsafe"

	"github.com/asticode/go-astiav"
)

// go-astiav's wrappers hold the C pointer in their first, unexported field. These functions read it
// for the calls that go-astiav lacks.

func cFormat(f *astiav.FormatContext) *C.AVFormatContext {
	return *(**C.AVFormatContext)(unsafe.Pointer(f))
}

func cCodec(c *astiav.CodecContext) *C.AVCodecContext {
	return *(**C.AVCodecContext)(unsafe.Pointer(c))
}

func cCodecType(c *astiav.Codec) *C.AVCodec {
	return *(**C.AVCodec)(unsafe.Pointer(c))
}

func cStream(s *astiav.Stream) *C.AVStream {
	return *(**C.AVStream)(unsafe.Pointer(s))
}

func cParameters(p *astiav.CodecParameters) *C.AVCodecParameters {
	return *(**C.AVCodecParameters)(unsafe.Pointer(p))
}

func cPacket(p *astiav.Packet) *C.AVPacket {
	return *(**C.AVPacket)(unsafe.Pointer(p))
}

func cFrame(f *astiav.Frame) *C.AVFrame {
	return (*C.AVFrame)(f.UnsafePointer())
}
