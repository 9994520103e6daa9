package frame

import (
	"sync/atomic"
	"unsafe"
)

// NoPTS marks a time stamp that is not known (FFmpeg's AV_NOPTS_VALUE).
const NoPTS int64 = -1 << 63

// Rational is a fraction, used for time bases, rates and aspect ratios. 0/1 and 0/0 are "unknown".
type Rational struct{ Num, Den int }

// Valid reports whether r is a positive fraction.
func (r Rational) Valid() bool { return r.Num > 0 && r.Den > 0 }

// Float returns r as a float64, 0 when it is not valid.
func (r Rational) Float() float64 {
	if r.Den == 0 {
		return 0
	}
	return float64(r.Num) / float64(r.Den)
}

// Plane is one plane of pixels in host memory.
type Plane struct {
	Data     unsafe.Pointer // the first row; never memory of the Go heap
	Stride   int            // bytes from one row to the next; negative where the picture is stored bottom up
	RowBytes int            // bytes of a row that hold pixels
	Rows     int
}

// Row returns the bytes of row y. The slice is valid until the frame is released.
func (p Plane) Row(y int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(p.Data, y*p.Stride)), p.RowBytes)
}

// Block is a piece of host memory that pictures are written into: a slot. It is made by package
// transfer and lent to a decoder, or filled by a download. Its identity is its pointer.
type Block struct {
	Base unsafe.Pointer // page aligned
	Size int            // bytes
	// Mem is the lender's own record of the memory. Nobody else reads it.
	Mem any
}

// Info is what stays the same from frame to frame of a stream until a size or format change.
type Info struct {
	Format        PixelFormat
	Width, Height int
	Color         Color
	SAR           Rational // sample aspect ratio; not valid = unknown
	TimeBase      Rational // unit of PTS and Duration
	FrameRate     Rational // nominal; not valid = unknown or variable
}

// Meta is what belongs to one picture and survives its journey: a filtered picture has its
// source's Meta.
type Meta struct {
	Index    int64 // 0, 1, 2 … in the order of delivery
	PTS      int64 // in TimeBase, NoPTS when unknown
	Duration int64 // in TimeBase, 0 when unknown

	// Interlaced: lines of two moments in turn. FromFields is the same of the decoder's picture, whatever
	// a filter has made of it since: its Duration may then be that of one field.
	Interlaced    bool
	FromFields    bool
	TopFieldFirst bool
	KeyFrame      bool
	Corrupt       bool // the decoder reported damage in it

	HDR *HDR // nil when the stream does not say; shared by the frames of a stream
}

// Frame is one picture in host memory.
type Frame struct {
	Info
	Meta

	Planes    [MaxPlanes]Plane
	NumPlanes int

	// Block is the lent slot that the planes lie in, nil when they lie elsewhere. A picture in a
	// decoder's slot is read-only: the decoder still refers to it.
	Block *Block

	// Side is the decoder's own picture (for its side data: HDR, display matrix); nil when there
	// is none. Only internal/av looks inside. It is valid until the frame is released.
	Side any

	owner Owner
	live  atomic.Bool
}

// Owner gets a frame back when it is released. PutFrame runs on the goroutine of the releaser,
// must not block, and may recycle the Frame.
type Owner interface{ PutFrame(*Frame) }

// Arm makes o the one to whom Release gives f back. A recycled frame is armed anew for each use.
func (f *Frame) Arm(o Owner) {
	f.owner = o
	f.live.Store(true)
}

// Release gives the frame's memory back. It must be called exactly once by the owner; a second
// call panics, since it would hand one slot out twice and corrupt pictures silently.
func (f *Frame) Release() {
	if !f.live.CompareAndSwap(true, false) {
		panic("frame: released twice, or never armed")
	}
	f.owner.PutFrame(f)
}

// Packet is a compressed packet of a stream that is passed through without decoding (audio,
// subtitles). It travels from decode to encode unopened and has one owner, like a Frame.
type Packet struct {
	Stream int // index of the stream in the input
	// Lead marks sound before the start of what is wanted: only for decoders, which need it to get into
	// their stride.
	Lead bool
	// Native is internal/av's packet. Only internal/av looks inside.
	Native any
}
