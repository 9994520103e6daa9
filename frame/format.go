package frame

// PixelFormat is the name that FFmpeg gives a pixel format, e.g. "yuv420p10le". The empty string
// is "unknown". A name without a description ([Describe]) can still travel from a decoder to a
// sink: everything that a copy needs is in [Plane].
type PixelFormat string

// Formats that occur often. [Described] lists all that are described; other names may occur in frames.
const (
	YUV420P   PixelFormat = "yuv420p"
	YUVJ420P  PixelFormat = "yuvj420p" // yuv420p, full range, an old spelling that decoders still use
	NV12      PixelFormat = "nv12"
	YUV422P   PixelFormat = "yuv422p"
	YUV444P   PixelFormat = "yuv444p"
	YUV420P10 PixelFormat = "yuv420p10le"
	YUV422P10 PixelFormat = "yuv422p10le"
	YUV444P10 PixelFormat = "yuv444p10le"
	Gray      PixelFormat = "gray"
	RGB24     PixelFormat = "rgb24"
)

// MaxPlanes is the largest number of planes of any pixel format.
const MaxPlanes = 4

// Component says where one colour component of a pixel lies, as FFmpeg's AVComponentDescriptor.
type Component struct {
	Plane  int // which plane holds it
	Step   int // bytes (bits for bitstream formats) between two horizontally neighbouring samples
	Offset int // bytes before the first sample
	Shift  int // bits to shift right to get the value
	Depth  int // significant bits
}

// Desc describes a pixel format, as FFmpeg's AVPixFmtDescriptor. Components are in the order
// Y, U, V, A or R, G, B, A, or Y, A.
type Desc struct {
	Name         PixelFormat
	Components   []Component
	Log2ChromaW  int // chroma width = ceil(width / 2^Log2ChromaW)
	Log2ChromaH  int
	RGB          bool
	Alpha        bool
	BigEndian    bool
	FullRangeYUV bool // the yuvj spellings
}

// Planes is the number of planes.
func (d *Desc) Planes() int {
	n := 0
	for _, c := range d.Components {
		n = max(n, c.Plane+1)
	}
	return n
}

// Depth is the significant bits of the first component.
func (d *Desc) Depth() int { return d.Components[0].Depth }

// PlaneSize is the width and height, in samples, of the plane p of a w×h picture: the chroma
// planes (1 and 2, unless RGB) are divided and rounded up.
func (d *Desc) PlaneSize(p, w, h int) (pw, ph int) {
	if (p == 1 || p == 2) && !d.RGB {
		return ceilShift(w, d.Log2ChromaW), ceilShift(h, d.Log2ChromaH)
	}
	return w, h
}

// RowBytes is the number of bytes that a row of plane p holds in a picture w pixels wide, without
// any padding.
func (d *Desc) RowBytes(p, w int) int {
	pw, _ := d.PlaneSize(p, w, 1)
	step := 0
	for _, c := range d.Components {
		if c.Plane == p {
			step = max(step, c.Step)
		}
	}
	return pw * step
}

func ceilShift(v, s int) int { return -((-v) >> s) }
