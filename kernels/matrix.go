package kernels

import (
	"fmt"
	"math"

	"github.com/pinring/pinring/frame"
)

// luma is the weight of red and blue in luma, which determine a YUV matrix.
type luma struct{ kr, kb float64 }

func (l luma) kg() float64 { return 1 - l.kr - l.kb }

// matrices by FFmpeg's names. Values: ITU-T H.273, table 4 (matrix coefficients).
var matrices = map[string]luma{
	"bt709":     {0.2126, 0.0722},
	"fcc":       {0.30, 0.11},
	"bt470bg":   {0.299, 0.114},
	"smpte170m": {0.299, 0.114},
	"smpte240m": {0.212, 0.087},
	"bt2020nc":  {0.2627, 0.0593},
}

// Spellings of the same that occur in options or other tools.
var matrixAliases = map[string]string{
	"bt601": "smpte170m", "bt470": "bt470bg", "bt2020": "bt2020nc", "bt2020_ncl": "bt2020nc",
}

// untagged reports whether a matrix name says nothing, or what cannot be, of YUV.
func untagged(name string) bool {
	return name == "" || name == "unknown" || name == "unspecified" || name == "reserved" || name == "gbr"
}

// guessMatrix is the usual guess for untagged pictures.
func guessMatrix(w, h int) string {
	if w >= 1280 || h > 576 {
		return "bt709"
	}
	return "smpte170m"
}

func matrixByName(name string) (luma, error) {
	if a, ok := matrixAliases[name]; ok {
		name = a
	}
	if l, ok := matrices[name]; ok {
		return l, nil
	}
	return luma{}, &MatrixError{name}
}

// MatrixError says that pictures, or an option, have a colour matrix that no kernel knows.
type MatrixError struct{ Matrix string }

func (e *MatrixError) Error() string {
	return fmt.Sprintf("colour matrix %q has no conversion to or from RGB; those that have: %s",
		e.Matrix, "bt709, smpte170m, bt470bg, bt2020nc, smpte240m, fcc")
}

// levels are the code values of a component on the 14-bit work scale.
type levels struct {
	black, span float64 // luma: black, and white minus black
	chroma      float64 // chroma: largest minus smallest
}

const (
	workBits  = 14 // of the narrow kernels' work values
	wideBits  = 16 // of the wide kernels'
	wideMid   = 1 << (wideBits - 1)
	fractions = 1 << 15
)

// levelsOf gives the levels of a depth and range on a work scale. Limited range is the same at every
// depth (H.273: codes are shifted); full range ends at the largest code.
func levelsOf(full bool, depth, bits int) levels {
	if !full {
		unit := float64(int(1) << (bits - 8))
		return levels{16 * unit, 219 * unit, 224 * unit}
	}
	top := float64(int(1<<depth-1) << max(bits-depth, 0))
	return levels{0, top, top}
}

// fullRange reports whether the samples of a picture use all codes.
func fullRange(i frame.Info) bool {
	d, _ := frame.Describe(i.Format)
	switch {
	case d.RGB:
		return true
	case grey(d) || d.FullRangeYUV:
		// As FFmpeg, grey is full range unless it says otherwise. FFmpeg's H.264 decoder keeps the yuvj
		// spelling when a stream of full range is followed by one that is not; its tag is right.
		return i.Color.Range != "tv"
	}
	return i.Color.Range == "pc"
}

func q15(v float64) int32 { return int32(math.Round(v * fractions)) }

// toRGB computes the cells of the kernel to_rgb: see the enumeration in convert.cu.
func toRGB(l luma, in, rgb levels) (m [16]int32) {
	gain := rgb.span / in.chroma
	rv, bu := 2*(1-l.kr)*gain, 2*(1-l.kb)*gain
	m[0], m[1] = int32(in.black), q15(rgb.span/in.span-1)
	m[2], m[3] = whole(rv)
	m[4] = q15(-bu * l.kb / l.kg())
	m[5] = q15(-rv * l.kr / l.kg())
	m[6], m[7] = whole(bu)
	return m
}

// wideToRGB computes the cells of the kernel wide_to_rgb: see the enumeration in wide.cu.
func wideToRGB(l luma, in, rgb levels) (m [16]int32) {
	gain := rgb.span / in.chroma
	rv, bu := 2*(1-l.kr)*gain, 2*(1-l.kb)*gain
	m[0], m[1] = wideMid-int32(in.black), q15(rgb.span/in.span)
	m[2], m[3], m[4], m[5] = q15(rv), q15(-bu*l.kb/l.kg()), q15(-rv*l.kr/l.kg()), q15(bu)
	return m
}

// whole splits a factor into a whole part and a fraction of 32768.
func whole(v float64) (int32, int32) {
	w := math.Floor(v)
	return int32(w), min(q15(v-w), math.MaxInt16)
}

// fromRGB computes the three rows (r, g, b, offset) of the kernels from_rgb and wide_from_rgb. Green
// takes up the rounding, so that grey has no colour and white is white.
func fromRGB(l luma, out, rgb levels, bits int) (m [16]int32) {
	gain, chroma, mid := out.span/rgb.span, out.chroma/rgb.span, int32(1)<<(bits-1)
	m[0], m[2], m[3] = q15(l.kr*gain), q15(l.kb*gain), int32(out.black)
	m[1] = q15(gain) - m[0] - m[2]
	m[4], m[6], m[7] = q15(-l.kr/(1-l.kb)/2*chroma), q15(chroma/2), mid
	m[5] = -m[4] - m[6]
	m[8], m[10], m[11] = q15(chroma/2), q15(-l.kb/(1-l.kr)/2*chroma), mid
	m[9] = -m[8] - m[10]
	return m
}
