package kernels

import (
	"strings"

	"github.com/pinring/pinring/frame"
)

// pass is one launch: from a picture to a picture.
type pass struct {
	in, out frame.Info
	method  method
	sharp   unsharpFilter       // nothing else is then done to the picture but tone and flip
	tone    [components]toneMap // of each component
	flip    [components]bool    // components to negate, after the tone
	turn    *turn               // nil: samples are computed; else they only move
	spans   bool                // luma's or RGB's filters are such as resize.cu is made for; set by compile
}

func (p *pass) identity() bool {
	if p.turn != nil {
		return *p.turn == turn{}
	}
	return p.in.Width == p.out.Width && p.in.Height == p.out.Height && !p.flips() && !p.toned() && !p.sharpens() && sameSamples(p.in, p.out)
}

func (p *pass) flips() bool { return p.flip != [components]bool{} }

// sameSamples reports whether two pictures differ in name only.
func sameSamples(a, b frame.Info) bool {
	return plain(a.Format) == plain(b.Format) && fullRange(a) == fullRange(b)
}

// FullRange reports whether the samples of a picture span all codes. RGB always does, grey and YUV say so.
func FullRange(i frame.Info) bool { return fullRange(i) }

// PlainFormat gives the yuvj spellings, which mean full range, their modern names, which do not say.
func PlainFormat(f frame.PixelFormat) frame.PixelFormat { return plain(f) }

// plain gives the yuvj spellings their modern names.
func plain(f frame.PixelFormat) frame.PixelFormat {
	if s, ok := strings.CutPrefix(string(f), "yuvj"); ok {
		return frame.PixelFormat("yuv" + s)
	}
	return f
}

// wide reports whether the pass takes the kernels for more than 12 bits.
func (p *pass) wide() bool {
	in, _ := frame.Describe(p.in.Format)
	out, _ := frame.Describe(p.out.Format)
	return max(in.Depth(), out.Depth()) > narrowDepth
}

// narrowDepth is the largest depth whose work values leave room for rounding.
const narrowDepth = 12

// bits is the work scale of the pass.
func (p *pass) bits() int {
	if p.wide() {
		return wideBits
	}
	return workBits
}

// kernelName chooses the kernel by colour models and depth, and, once compile has seen the filters, by
// their length.
func (p *pass) kernelName() string {
	switch {
	case p.turn != nil:
		return "turn"
	case p.sharpens():
		return "unsharp"
	}
	in, _ := frame.Describe(p.in.Format)
	out, _ := frame.Describe(p.out.Format)
	name := "planes"
	switch {
	case in.RGB && !out.RGB:
		name = "from_rgb"
	case !in.RGB && out.RGB:
		name = "to_rgb"
	}
	switch {
	case p.wide():
		return "wide_" + name
	case name == "planes" && p.spans:
		return "resize"
	}
	return name
}

// size is the items of the launch.
func (p *pass) size() (cols, rows int) {
	if p.turn != nil {
		return p.turn.size(p.out)
	}
	if p.kernelName() == "resize" {
		return (p.out.Width + spanOutputs - 1) / spanOutputs, p.out.Height
	}
	return p.out.Width, p.out.Height
}

// compile writes the pass's constants into t and returns their offset.
func (p *pass) compile(t *tables) (int32, error) {
	if p.turn != nil {
		return t.add(p.turn.params(p.out)), nil
	}
	in, _ := frame.Describe(p.in.Format)
	out, _ := frame.Describe(p.out.Format)
	var c params
	var err error
	if c.Group[0], err = p.group(t, 0, in, out); err != nil {
		return 0, err
	}
	if !(in.RGB && out.RGB) && (out.RGB || !grey(out)) {
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
	yuv, yuvDesc, rgbDesc := p.in, in, out
	if in.RGB {
		yuv, yuvDesc, rgbDesc = p.out, out, in
	}
	if grey(yuvDesc) && untagged(yuv.Color.Matrix) {
		yuv.Color.Matrix = guessMatrix(yuv.Width, yuv.Height)
	}
	l, err := matrixByName(yuv.Color.Matrix)
	if err != nil {
		return [16]int32{}, err
	}
	bits := p.bits()
	v, rgb := levelsOf(fullRange(yuv), yuvDesc.Depth(), bits), levelsOf(true, rgbDesc.Depth(), bits)
	switch {
	case in.RGB:
		return fromRGB(l, v, rgb, bits), nil
	case p.wide():
		return wideToRGB(l, v, rgb), nil
	}
	return toRGB(l, v, rgb), nil
}

// chromaShift is log2 of the rows of luma per row of chroma.
func chromaShift(d *frame.Desc) int {
	if d.RGB {
		return 0
	}
	return d.Log2ChromaH
}

// subsampling is log2 of how much smaller group n is than the picture.
func subsampling(d *frame.Desc, n int) (w, h int) {
	if n == 0 || d.RGB {
		return 0, 0
	}
	return d.Log2ChromaW, d.Log2ChromaH
}

// group describes luma (or RGB) or chroma: sizes, filter, what lies where, store.
func (p *pass) group(t *tables, n int, in, out *frame.Desc) (group, error) {
	sw, sh := subsampling(in, n)
	dw, dh := subsampling(out, n)
	h := axis{ceilShift(p.in.Width, sw), ceilShift(p.out.Width, dw), p.method}
	v := axis{ceilShift(p.in.Height, sh), ceilShift(p.out.Height, dh), p.method}
	g := group{W: int32(h.dst), H: int32(v.dst), SW: int32(h.src), SH: int32(v.src),
		S: whereIs(in, setOf(in, n)...), D: whereIs(out, setOf(out, n)...), Scale: 1 << (workBits - min(in.Depth(), workBits))}
	if p.wide() {
		g.Scale = int32(wideBits - in.Depth())
	}
	if n == 0 {
		g.D.pad()
	} else {
		g.D = whereIs(out, chromaSet...) // where RGB comes out, only to tell what is to be loaded
	}
	if g.D.Plane[alpha] < 0 {
		g.S.Plane[alpha], g.S.Lane[alpha] = -1, 0
	}
	if n == 1 && !in.RGB && grey(in) {
		g.SW, g.SH = 0, 0
	} else if !h.identity() || !v.identity() {
		var err error
		var short bool
		if g.Table, short, err = t.resampler(h, v); err != nil {
			return g, err
		}
		p.spans = p.spans || n == 0 && short && g.S.Lanes == 1 && g.D.Lanes == 1 && g.S.Shift == 0
	}
	p.stores(&g, n, in, out)
	return g, nil
}

func ceilShift(v, s int) int { return -((-v) >> s) }

// stores fills in how work values become codes: a shift where that is all, else a line.
func (p *pass) stores(g *group, n int, in, out *frame.Desc) {
	bits := p.bits()
	a, b := levelsOf(fullRange(p.in), in.Depth(), bits), levelsOf(fullRange(p.out), out.Depth(), bits)
	x, y := levelsOf(true, in.Depth(), bits), levelsOf(true, out.Depth(), bits) // of alpha
	mid := float64(int(1) << (bits - 1))
	for c := range g.O {
		o := store{Max: int32(1<<out.Depth() - 1), Shr: int32(bits - out.Depth())}
		switch {
		case c == alpha:
			if x != y && g.S.Plane[alpha] >= 0 {
				o.line(y.span/x.span, 0, 0, p.wide())
			}
		case in.RGB != out.RGB || a == b || g.SW == 0:
		case n == 1:
			o.line(b.chroma/a.chroma, mid, mid, p.wide())
		default:
			o.line(b.span/a.span, a.black, b.black, p.wide())
		}
		if p.flip[c] {
			o.Flip = o.Max
		}
		g.O[c] = o
	}
	p.tryCopy(g, n, in, out)
}

// line makes the store to + (work - from)*gain, in Q14.
func (o *store) line(gain, from, to float64, wide bool) {
	const q = 14
	if wide {
		from -= wideMid
	}
	o.Mul = int32(gain*(1<<q) + 0.5)
	o.Shr += q
	o.Add = int32(to)<<q - int32(from)*o.Mul + 1<<(o.Shr-1)
}

// tryCopy marks groups whose bytes stay as they are, or change alike in each plane.
func (p *pass) tryCopy(g *group, n int, in, out *frame.Desc) {
	if g.Table != 0 || g.SW == 0 || in.RGB != out.RGB || in.Depth() != out.Depth() || g.S != g.D || p.sharp[n].amount != 0 {
		return
	}
	first := [frame.MaxPlanes]int{-1, -1, -1, -1} // component of each plane
	for c, o := range g.O {
		at := g.D.Plane[c]
		if at < 0 {
			continue
		}
		whole := out.Depth() == 8*sampleBytes(out)
		if o.Mul != 0 || o.Flip != 0 && !whole || !p.tone[c].none() && sampleBytes(out) > 1 {
			return
		}
		if f := first[at]; f < 0 {
			first[at] = c
		} else if g.O[f].Flip != o.Flip || !p.tone[f].equal(p.tone[c]) {
			return
		}
	}
	g.Copy = 1
}
