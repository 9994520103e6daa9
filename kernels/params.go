package kernels

import (
	"bytes"
	"encoding/binary"
)

// Argument cells of every kernel, as in params.h.
const (
	cellCols      = 0
	cellRows      = 1
	cellSrc       = 2
	cellSrcStride = 6
	cellDst       = 10
	cellDstStride = 14
	cellParams    = 18
	cellTables    = 19
	numCells      = 20
)

// Components of a pixel, as in params.h. Grey has luma only.
const (
	luma0 = iota // luma, or red
	chromaU
	chromaV
	alpha
	components
)

// where mirrors struct Where of params.h, where the fields are explained.
type where struct {
	Bytes, Lanes, Shift int32
	Plane, Lane         [components]int32
}

// store mirrors struct Store of params.h.
type store struct{ Mul, Add, Shr, Max, Flip int32 }

// group mirrors struct Group of params.h.
type group struct {
	W, H   int32
	SW, SH int32
	Scale  int32
	Table  int32
	Copy   int32
	S, D   where
	O      [components]store
}

// params mirrors struct Params of params.h.
type params struct {
	RowShift int32
	Group    [2]group
	Matrix   [16]int32
	Tone     [components]toneCells
	Sharp    [2]sharpCells
}

// toneCells mirrors struct Tone.
type toneCells struct{ Kind, Mul, Add, LUT int32 }

// Values of toneCells.Kind.
const (
	toneNone = iota
	toneLine
	toneTable
)

// sharpCells mirrors struct Sharp.
type sharpCells struct{ RX, RY, Whole, Part, Coef int32 }

// resamplerHeader mirrors struct Resampler of params.h.
type resamplerHeader struct {
	HMode, HTaps, HPos, HCoef, HPitch, HRow int32
	VTaps, VPos, VCoef                      int32
	HPhases, HStep, HSpan                   int32
}

// Values of resamplerHeader.HMode.
const (
	hSame = iota
	hAny
	hPhases
)

// tableAlign is the alignment of everything in the constant tables, in bytes.
const tableAlign = 64

// tables builds the block of constants of a plan. Equal pieces are stored once. Offset 0 is never
// given out: it means "none".
type tables struct {
	data  []byte
	known map[string]int32
}

func newTables() *tables {
	return &tables{data: make([]byte, tableAlign), known: map[string]int32{}}
}

// add stores v (fixed-size values or slices of them) little-endian and returns its offset.
func (t *tables) add(v any) int32 {
	var b bytes.Buffer
	// Only fixed-size types come here, which encoding/binary cannot refuse.
	_ = binary.Write(&b, binary.LittleEndian, v)
	if at, ok := t.known[b.String()]; ok {
		return at
	}
	at := int32(len(t.data))
	t.data = append(t.data, b.Bytes()...)
	for len(t.data)%tableAlign != 0 {
		t.data = append(t.data, 0)
	}
	t.known[b.String()] = at
	return at
}
