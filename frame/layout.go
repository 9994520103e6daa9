package frame

import "fmt"

// Layout says how the planes of a picture lie in one block of memory. It is comparable: two equal
// layouts fit the same slots.
type Layout struct {
	Format        PixelFormat
	Width, Height int // pixels
	NumPlanes     int
	Offset        [MaxPlanes]int // bytes from the start of the block
	Stride        [MaxPlanes]int // bytes from one row to the next
	RowBytes      [MaxPlanes]int // bytes of a row that hold pixels
	Rows          [MaxPlanes]int
	Size          int // bytes of the whole block, padding included
}

// NewLayout lays the planes out one after another, each row and each plane aligned to align bytes
// (a power of two; 1 packs them tightly).
func NewLayout(format PixelFormat, w, h, align int) (Layout, error) {
	d, ok := Describe(format)
	if !ok {
		return Layout{}, fmt.Errorf("pixel format %q has no known layout", format)
	}
	if w <= 0 || h <= 0 {
		return Layout{}, fmt.Errorf("picture size %dx%d is not positive", w, h)
	}
	l := Layout{Format: format, Width: w, Height: h, NumPlanes: d.Planes()}
	for p := range l.NumPlanes {
		_, rows := d.PlaneSize(p, w, h)
		l.Offset[p] = l.Size
		l.RowBytes[p] = d.RowBytes(p, w)
		l.Stride[p] = alignUp(l.RowBytes[p], align)
		l.Rows[p] = rows
		l.Size = alignUp(l.Size+l.Stride[p]*rows, align)
	}
	return l, nil
}

func alignUp(v, a int) int { return (v + a - 1) &^ (a - 1) }
