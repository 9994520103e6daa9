package kernels

import (
	"fmt"
	"strings"

	"github.com/pinring/pinring/frame"
)

// pass is one launch: from a picture to a picture.
type pass struct {
	in, out frame.Info
	method  method
	sharp   unsharpFilter // nothing else is then done to the picture but tone and flip
	tone    [3]toneMap    // of each component, in the order of frame.Desc
	flip    [3]bool       // components to negate, after the tone
}

func (p *pass) identity() bool {
	return p.in.Width == p.out.Width && p.in.Height == p.out.Height && p.flip == [3]bool{} && !p.toned() && !p.sharpens() &&
		sameSamples(p.in, p.out)
}

// sameSamples reports whether two pictures differ in name only.
func sameSamples(a, b frame.Info) bool {
	return plain(a.Format) == plain(b.Format) && fullRange(a) == fullRange(b)
}

// plain gives the yuvj spellings their modern names.
func plain(f frame.PixelFormat) frame.PixelFormat {
	if f == frame.YUVJ420P {
		return frame.YUV420P
	}
	return f
}

// formats that have kernels, in the order of messages.
var formats = []frame.PixelFormat{
	frame.YUV420P, frame.YUVJ420P, frame.NV12, frame.YUV422P, frame.YUV444P,
	frame.YUV420P10, frame.YUV422P10, frame.YUV444P10, frame.Gray, frame.RGB24,
}

// Formats lists the pixel formats that filters can read and write.
func Formats() []frame.PixelFormat { return append([]frame.PixelFormat(nil), formats...) }

func formatNames() string {
	s := make([]string, len(formats))
	for i, f := range formats {
		s[i] = string(f)
	}
	return strings.Join(s, ", ")
}

// describe is frame.Describe for the formats that have kernels.
func describe(f frame.PixelFormat) (*frame.Desc, error) {
	for _, g := range formats {
		if f == g {
			d, _ := frame.Describe(f)
			return d, nil
		}
	}
	return nil, &FormatError{Format: f}
}

// FormatError says that no kernel knows a pixel format, or that a filter does not.
type FormatError struct {
	Format frame.PixelFormat
	Filter string // "": no filter does
	Hint   string // with Filter: what to do
}

func (e *FormatError) Error() string {
	if e.Filter != "" {
		return fmt.Sprintf("%s does not work on pixel format %q", e.Filter, e.Format)
	}
	return fmt.Sprintf("no kernel reads or writes pixel format %q; those that work: %s", e.Format, formatNames())
}

// kernelName chooses the kernel by colour models.
func (p *pass) kernelName() string {
	in, _ := frame.Describe(p.in.Format)
	out, _ := frame.Describe(p.out.Format)
	switch {
	case p.sharpens():
		return "unsharp"
	case in.RGB && out.RGB:
		return "packed"
	case in.RGB:
		return "from_rgb"
	case out.RGB:
		return "to_rgb"
	}
	return "planes"
}

// compile writes the pass's constants into t and returns their offset.
func (p *pass) compile(t *tables) (int32, error) {
	in, _ := frame.Describe(p.in.Format)
	out, _ := frame.Describe(p.out.Format)
	var c params
	var err error
	if c.Group[0], err = p.group(t, 0, in, out); err != nil {
		return 0, err
	}
	if len(out.Components) > 1 && !(in.RGB && out.RGB) {
		if c.Group[1], err = p.group(t, 1, in, out); err != nil {
			return 0, err
		}
	}
	c.RowShift = int32(chromaShift(out))
	if in.RGB != out.RGB {
		if c.Matrix, err = p.matrix(in, out); err != nil {
			return 0, err
		}
	}
	for i := range c.Tone {
		c.Tone[i] = p.tone[i].cells(t)
	}
	for i := range c.Sharp {
		c.Sharp[i] = p.sharp[i].cells(t)
	}
	return t.add(c), nil
}

func (p *pass) sharpens() bool { return p.sharp != unsharpFilter{} }

func (p *pass) matrix(in, out *frame.Desc) ([16]int32, error) {
	yuv, desc := p.in, in
	if in.RGB {
		yuv, desc = p.out, out
	}
	if len(desc.Components) == 1 && untagged(yuv.Color.Matrix) {
		yuv.Color.Matrix = guessMatrix(yuv.Width, yuv.Height)
	}
	l, err := matrixByName(yuv.Color.Matrix)
	if err != nil {
		return [16]int32{}, err
	}
	v := levelsOf(fullRange(yuv), desc.Depth())
	if in.RGB {
		return fromRGB(l, v), nil
	}
	return toRGB(l, v), nil
}

// chromaShift is log2 of the rows of luma per row of chroma.
func chromaShift(d *frame.Desc) int {
	if d.RGB {
		return 0
	}
	return d.Log2ChromaH
}

// group describes luma (or RGB) or chroma: sizes, filter, store.
func (p *pass) group(t *tables, n int, in, out *frame.Desc) (group, error) {
	sub := func(d *frame.Desc) (int, int) {
		if n == 0 || d.RGB {
			return 0, 0
		}
		return d.Log2ChromaW, d.Log2ChromaH
	}
	sw, sh := sub(in)
	dw, dh := sub(out)
	h := axis{ceilShift(p.in.Width, sw), ceilShift(p.out.Width, dw), p.method}
	v := axis{ceilShift(p.in.Height, sh), ceilShift(p.out.Height, dh), p.method}
	g := group{W: int32(h.dst), H: int32(v.dst), SW: int32(h.src), SH: int32(v.src),
		SBytes: int32((in.Depth() + 7) / 8), SLanes: int32(lanesOf(in, n)),
		DBytes: int32((out.Depth() + 7) / 8), DLanes: int32(lanesOf(out, n)),
		Scale: 1 << (workBits - in.Depth())}
	if n == 1 && len(in.Components) == 1 {
		g.SW, g.SH = 0, 0
	} else if !h.identity() || !v.identity() {
		var err error
		if g.Table, err = t.resampler(h, v); err != nil {
			return g, err
		}
	}
	p.store(&g, n, in, out)
	return g, nil
}

// lanesOf is how many components are interleaved in the planes of a group.
func lanesOf(d *frame.Desc, n int) int {
	switch {
	case d.RGB:
		return 3
	case n == 1 && d.Planes() == 2:
		return 2
	}
	return 1
}

func ceilShift(v, s int) int { return -((-v) >> s) }

// store fills in how work values become codes: a shift where that is all, else a line.
func (p *pass) store(g *group, n int, in, out *frame.Desc) {
	depth := out.Depth()
	g.M = int32(1<<depth - 1)
	g.Shr = int32(workBits - depth)
	a, b := levelsOf(fullRange(p.in), in.Depth()), levelsOf(fullRange(p.out), depth)
	if in.RGB == out.RGB && a != b {
		gain, from, to := b.span/a.span, a.black, b.black
		if n == 1 {
			gain, from, to = b.chroma/a.chroma, workMid, workMid
		}
		g.line(gain, from, to)
	}
	for i := range g.Xor {
		if p.flip[i] {
			g.Xor[i] = g.M
		}
	}
	p.tryCopy(g, n, in, out)
}

// line makes the store to + (work - from)*gain, in Q14.
func (g *group) line(gain, from, to float64) {
	const q = 14
	g.Mul = int32(gain*(1<<q) + 0.5)
	g.Shr += q
	g.Add = int32(to)<<q - int32(from)*g.Mul + 1<<(g.Shr-1)
}

// tryCopy marks groups whose bytes stay as they are, or are all changed alike.
func (p *pass) tryCopy(g *group, n int, in, out *frame.Desc) {
	if g.Table != 0 || g.SW == 0 || g.Mul != 0 || in.RGB != out.RGB || in.Depth() != out.Depth() ||
		g.SLanes != g.DLanes || p.sharp[n].amount != 0 {
		return
	}
	of := p.components(n, out)
	first := g.Xor[of[0]]
	for _, c := range of {
		if g.Xor[c] != first || g.DLanes > 1 && !p.tone[c].equal(p.tone[of[0]]) ||
			g.DBytes > 1 && (first != 0 || !p.tone[c].none()) {
			return
		}
	}
	g.Copy, g.Xor = 1, [3]int32{first, first, first}
}

// components are those of a group.
func (p *pass) components(n int, out *frame.Desc) []int {
	switch {
	case out.RGB:
		return []int{0, 1, 2}
	case n == 1:
		return []int{1, 2}
	}
	return []int{0}
}
