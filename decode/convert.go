package decode

import (
	"context"
	"sync"
	"unsafe"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
)

// Converter gives a source's frames in another pixel format, converted on the host by libswscale.
// Converted frames lie in memory of its own; those that need no conversion are passed on untouched.
// Next and Close belong to one goroutine at a time; frames may be released from any, and must all be
// before Close.
type Converter struct {
	src    nexter
	to     func(frame.Info) frame.PixelFormat
	scaler av.Scaler

	mu     sync.Mutex
	spares []*converted
	closed bool
}

// converted is a frame with its memory, recycled.
type converted struct {
	frame.Frame
	of     *Converter
	memory av.Memory
	layout frame.Layout
}

// nexter is what a Converter needs of a source.
type nexter interface {
	Next(ctx context.Context) (*frame.Frame, error)
}

// Convert wraps a source, which stays the caller's.
func Convert(src nexter, to frame.PixelFormat) *Converter {
	return ConvertSome(src, func(frame.Info) frame.PixelFormat { return to })
}

// ConvertSome wraps a source, which stays the caller's. to is asked for each frame, by Next, and says
// in which format it shall be.
func ConvertSome(src nexter, to func(frame.Info) frame.PixelFormat) *Converter {
	return &Converter{src: src, to: to}
}

// rowAlign is what libswscale's vector code likes.
const rowAlign = 64

// Next is the source's, with the frame converted.
func (c *Converter) Next(ctx context.Context) (*frame.Frame, error) {
	f, err := c.src.Next(ctx)
	if err != nil {
		return nil, err
	}
	to := c.to(f.Info)
	if to == f.Format {
		return f, nil
	}
	defer f.Release()
	out, err := c.spare(f, to)
	if err != nil {
		return nil, err
	}
	out.Meta, out.Info = f.Meta, f.Info
	out.Format, out.Color = to, convertedColor(f.Info, to)
	if err := c.scaler.Convert(&out.Frame, f, matrixOf(f)); err != nil {
		c.keep(out)
		return nil, err
	}
	out.Arm(out)
	return &out.Frame, nil
}

// convertedColor is how the converted samples are to be read. Where the colour model stays, so do
// they.
func convertedColor(from frame.Info, to frame.PixelFormat) frame.Color {
	c := from.Color
	d, ok := frame.Describe(to)
	if !ok {
		return c
	}
	was, ok := av.Describe(from.Format)
	switch {
	case d.RGB:
		c.Range, c.Matrix, c.ChromaLocation = "pc", "gbr", ""
	case ok && was.RGB:
		c.Range, c.Matrix = "tv", matrixFor(from)
	}
	return c
}

// matrixOf guesses the matrix of untagged pictures by their size, as the kernels do.
func matrixOf(f *frame.Frame) string { return matrixFor(f.Info) }

func matrixFor(i frame.Info) string {
	if m := i.Color.Matrix; m != "" && m != "gbr" {
		return m
	}
	if i.Width >= 1280 || i.Height > 576 {
		return "bt709"
	}
	return "smpte170m"
}

// spare is a frame with memory for a picture of f's size in format to.
func (c *Converter) spare(f *frame.Frame, to frame.PixelFormat) (*converted, error) {
	c.mu.Lock()
	var out *converted
	if n := len(c.spares); n > 0 {
		out, c.spares = c.spares[n-1], c.spares[:n-1]
	}
	c.mu.Unlock()
	if out == nil {
		out = &converted{of: c}
	}
	if out.layout.Format == to && out.layout.Width == f.Width && out.layout.Height == f.Height {
		return out, nil
	}
	l, err := av.Layout(to, f.Width, f.Height, rowAlign)
	if err != nil {
		return nil, err
	}
	if err := out.memory.Resize(l.Size + rowAlign); err != nil {
		return nil, err
	}
	out.layout = l
	out.place()
	return out, nil
}

func (d *converted) place() {
	l := &d.layout
	d.NumPlanes = l.NumPlanes
	for p := range l.NumPlanes {
		d.Planes[p] = frame.Plane{Data: unsafe.Add(d.memory.Ptr(), l.Offset[p]), Stride: l.Stride[p], RowBytes: l.RowBytes[p], Rows: l.Rows[p]}
	}
}

// PutFrame implements frame.Owner.
func (d *converted) PutFrame(*frame.Frame) { d.of.keep(d) }

func (c *Converter) keep(d *converted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		d.memory.Free()
		return
	}
	c.spares = append(c.spares, d)
}

// Close frees the memory. The source stays open.
func (c *Converter) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, d := range c.spares {
		d.memory.Free()
	}
	c.spares = nil
	c.scaler.Close()
}
