package av

// #include <libavutil/pixdesc.h>
import "C"

import "github.com/pinring/pinring/frame"

// Describe is libavutil's description of a pixel format, false when it has none. Package frame has
// a table of its own, so that it needs no C; a test compares the two.
func Describe(f frame.PixelFormat) (frame.Desc, bool) {
	d := C.av_pix_fmt_desc_get(int32(formatOf(f)))
	if d == nil {
		return frame.Desc{}, false
	}
	out := frame.Desc{Name: f, Log2ChromaW: int(d.log2_chroma_w), Log2ChromaH: int(d.log2_chroma_h),
		RGB: d.flags&C.AV_PIX_FMT_FLAG_RGB != 0, Alpha: d.flags&C.AV_PIX_FMT_FLAG_ALPHA != 0,
		BigEndian: d.flags&C.AV_PIX_FMT_FLAG_BE != 0}
	for _, c := range d.comp[:d.nb_components] {
		out.Components = append(out.Components, frame.Component{Plane: int(c.plane), Step: int(c.step),
			Offset: int(c.offset), Shift: int(c.shift), Depth: int(c.depth)})
	}
	return out, true
}

// Formats lists all pixel formats of libavutil that live in ordinary memory.
func Formats() []frame.PixelFormat {
	var out []frame.PixelFormat
	for d := C.av_pix_fmt_desc_next(nil); d != nil; d = C.av_pix_fmt_desc_next(d) {
		if d.flags&C.AV_PIX_FMT_FLAG_HWACCEL == 0 {
			out = append(out, frame.PixelFormat(C.GoString(d.name)))
		}
	}
	return out
}
