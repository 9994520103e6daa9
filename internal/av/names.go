package av

// #include <libavutil/pixdesc.h>
// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"github.com/pinring/pinring/frame"
)

func formatName(f C.int) frame.PixelFormat {
	return frame.PixelFormat(C.GoString(C.av_get_pix_fmt_name(int32(f))))
}

// formatOf is the number of a pixel format, AV_PIX_FMT_NONE when libavutil does not know it.
func formatOf(f frame.PixelFormat) C.int {
	s := C.CString(string(f))
	defer C.free(unsafe.Pointer(s))
	return C.int(C.av_get_pix_fmt(s))
}

// known turns libavutil's words for "not said" into the empty string.
func known(s *C.char) string {
	switch v := C.GoString(s); v {
	case "unknown", "unspecified", "reserved":
		return ""
	default:
		return v
	}
}

// colorTags are libavutil's numbers for a frame.Color.
type colorTags struct{ rng, matrix, primaries, transfer, chroma C.int }

func (t colorTags) names() frame.Color {
	return frame.Color{
		Range:          known(C.av_color_range_name(uint32(t.rng))),
		Matrix:         known(C.av_color_space_name(uint32(t.matrix))),
		Primaries:      known(C.av_color_primaries_name(uint32(t.primaries))),
		Transfer:       known(C.av_color_transfer_name(uint32(t.transfer))),
		ChromaLocation: known(C.av_chroma_location_name(uint32(t.chroma))),
	}
}

// tagsOf is the inverse of names; what libavutil does not know becomes "unspecified".
func tagsOf(c frame.Color) colorTags {
	find := func(s string, unspecified C.int, from func(*C.char) C.int) C.int {
		if s == "" {
			return unspecified
		}
		cs := C.CString(s)
		defer C.free(unsafe.Pointer(cs))
		if v := from(cs); v >= 0 {
			return v
		}
		return unspecified
	}
	return colorTags{
		rng: find(c.Range, C.AVCOL_RANGE_UNSPECIFIED,
			func(s *C.char) C.int { return C.av_color_range_from_name(s) }),
		matrix: find(c.Matrix, C.AVCOL_SPC_UNSPECIFIED,
			func(s *C.char) C.int { return C.av_color_space_from_name(s) }),
		primaries: find(c.Primaries, C.AVCOL_PRI_UNSPECIFIED,
			func(s *C.char) C.int { return C.av_color_primaries_from_name(s) }),
		transfer: find(c.Transfer, C.AVCOL_TRC_UNSPECIFIED,
			func(s *C.char) C.int { return C.av_color_transfer_from_name(s) }),
		chroma: find(c.ChromaLocation, C.AVCHROMA_LOC_UNSPECIFIED,
			func(s *C.char) C.int { return C.av_chroma_location_from_name(s) }),
	}
}
