package kernels

import (
	"fmt"
	"slices"

	"github.com/pinring/pinring/frame"
)

// planner collects the passes of a chain. Filters tell it what they want of the picture; it decides
// what shares a pass.
type planner struct {
	cur    frame.Info // the picture after all filters so far
	open   *pass      // the last pass, still open for more
	passes []pass
	notes  []string
	fields fields // what became of the lines of interlaced pictures
	// rgbMatrix is the matrix that the next conversion from RGB shall use, "" for the usual guess.
	rgbMatrix string
}

func (b *planner) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(b.notes, n) {
		b.notes = append(b.notes, n)
	}
}

// close ends the open pass; the next filter starts one of its own.
func (b *planner) close() {
	if b.open != nil && !b.open.identity() {
		b.passes = append(b.passes, *b.open)
	}
	b.open = nil
}

// pass returns the open pass, or opens one.
func (b *planner) pass() *pass {
	if b.open != nil && b.open.turn != nil {
		b.close()
	}
	if b.open == nil {
		b.open = &pass{in: b.cur, out: b.cur}
	}
	return b.open
}

// resize makes the picture w×h. It never shares a pass with what came before it.
func (b *planner) resize(w, h int, m method) {
	if w == b.cur.Width && h == b.cur.Height {
		return
	}
	b.close()
	b.cur.SAR = scaleSAR(b.cur, w, h)
	b.fields.resized(b.cur.Height, h)
	p := b.pass()
	b.cur.Width, b.cur.Height = w, h
	p.method, p.out = m, b.cur
}

// convert makes the picture have the format and colour of to (its size and timing are ignored). It
// shares the pass of a resize before it.
func (b *planner) convert(format frame.PixelFormat, color frame.Color) {
	if p := b.open; p != nil && (p.flips() || p.toned() || p.sharpens() || p.in.Format != p.out.Format || p.in.Color != p.out.Color) {
		b.close()
	}
	p := b.pass()
	b.cur.Format, b.cur.Color = format, color
	p.out = b.cur
}

// retag corrects what the tags of the picture say, without touching its samples. It must be what a
// filter does first.
func (b *planner) retag(rng, matrix string) {
	c := b.cur.Color
	if rng != "" {
		c.Range = rng
	}
	if matrix != "" {
		c.Matrix = matrix
	}
	if c == b.cur.Color {
		return
	}
	b.close()
	b.cur.Color = c
	if c.Range == "tv" {
		b.cur.Format = plain(b.cur.Format)
	}
}

// negate flips components, in whatever pass comes before: flipping is the last thing a pass does,
// and flipping twice is nothing.
func (b *planner) negate(flip [components]bool) {
	p := b.pass()
	for i := range flip {
		p.flip[i] = p.flip[i] != flip[i]
	}
}

// turn lays the picture down in another way. Turns that follow one another are one.
func (b *planner) turn(t turn) {
	p := b.open
	if p == nil || p.turn == nil {
		b.close()
		p = b.pass()
		p.turn = new(turn)
	}
	*p.turn = p.turn.then(t)
	b.fields.turned(t, b.cur.Height)
	if t.transposed {
		b.cur.Width, b.cur.Height = b.cur.Height, b.cur.Width
		if b.cur.SAR.Valid() {
			b.cur.SAR = frame.Rational{Num: b.cur.SAR.Den, Den: b.cur.SAR.Num}
		}
	}
	p.out = b.cur
}

// toFormat converts to a pixel format, with the colour that follows from it.
func (b *planner) toFormat(f frame.PixelFormat) error {
	to, err := describe(f)
	if err != nil {
		return err
	}
	from, err := describe(b.cur.Format)
	if err != nil {
		return err
	}
	if f == b.cur.Format {
		return nil
	}
	c := b.cur.Color
	switch {
	case to.RGB:
		b.resolveMatrix()
		c = frame.Color{Range: "pc", Matrix: "gbr", Primaries: c.Primaries, Transfer: c.Transfer}
	case from.RGB:
		c = b.colorFromRGB(to)
	case to.FullRangeYUV || from.FullRangeYUV && fullRange(b.cur):
		c.Range = "pc"
	case grey(from) && !grey(to):
		c.Range = "tv"
	}
	if grey(to) && !to.RGB {
		c.Range, c.ChromaLocation = "pc", ""
	} else if to.Log2ChromaW == 0 {
		c.ChromaLocation = ""
	}
	b.convert(f, c)
	return nil
}

// resolveMatrix gives untagged YUV a matrix before it is needed, and says so.
func (b *planner) resolveMatrix() {
	if !untagged(b.cur.Color.Matrix) {
		return
	}
	m := guessMatrix(b.cur.Width, b.cur.Height)
	b.note("colour matrix is not tagged: %s taken for %dx%d (bt709 from 1280 wide or over 576 lines, else smpte170m)",
		m, b.cur.Width, b.cur.Height)
	b.cur.Color.Matrix = m
	if p := b.open; p != nil {
		p.in.Color.Matrix, p.out.Color.Matrix = m, m
	}
	if n := len(b.passes); n > 0 && b.open == nil {
		b.passes[n-1].out.Color.Matrix = m
	}
}

func (b *planner) colorFromRGB(to *frame.Desc) frame.Color {
	c := frame.Color{Range: "tv", Matrix: guessMatrix(b.cur.Width, b.cur.Height),
		Primaries: b.cur.Color.Primaries, Transfer: b.cur.Color.Transfer}
	if b.rgbMatrix != "" {
		c.Matrix, b.rgbMatrix = b.rgbMatrix, ""
	}
	if to.FullRangeYUV {
		c.Range = "pc"
	}
	if to.Log2ChromaW > 0 {
		c.ChromaLocation = "center"
	}
	return c
}

// scaleSAR keeps the picture's shape: SAR * (old width * new height) / (old height * new width), as
// FFmpeg's scale filter.
func scaleSAR(in frame.Info, w, h int) frame.Rational {
	if !in.SAR.Valid() {
		return in.SAR
	}
	num := int64(in.SAR.Num) * int64(in.Width) * int64(h)
	den := int64(in.SAR.Den) * int64(in.Height) * int64(w)
	g := gcd(num, den)
	num, den = num/g, den/g
	for num > 1<<31-1 || den > 1<<31-1 {
		num, den = num>>1, max(den>>1, 1)
	}
	return frame.Rational{Num: int(num), Den: int(den)}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
