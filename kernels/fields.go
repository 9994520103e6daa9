package kernels

import "github.com/pinring/pinring/frame"

// fields is what a chain does to the lines of an interlaced picture, every other of which belongs to
// another moment.
type fields struct {
	mixed   bool // a line of the result is made of lines of both fields, or is no line of the source
	swapped bool // the first line is now one of the other field
}

func (f *fields) resized(from, to int) { f.mixed = f.mixed || from != to }

// turned counts a turn of a picture of that height. Turning an odd number of lines upside down leaves
// the first line in its field.
func (f *fields) turned(t turn, height int) {
	f.mixed = f.mixed || t.transposed
	f.swapped = f.swapped != (t.mirrorY && height%2 == 0)
}

// Describe makes the source's Meta that of the result: pictures whose fields were mixed are not
// interlaced any more, and must not be coded or shown as if they were; those that were turned upside
// down have the other field first.
func (p *Plan) Describe(m frame.Meta) frame.Meta {
	switch {
	case !m.Interlaced:
	case p.fields.mixed:
		m.Interlaced, m.TopFieldFirst = false, false
	case p.fields.swapped:
		m.TopFieldFirst = !m.TopFieldFirst
	}
	return m
}
