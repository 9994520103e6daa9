package kernels

import (
	"fmt"

	"github.com/pinring/pinring/frame"
)

// RowAlign is the alignment, in bytes, of the rows of pictures that a plan writes.
const RowAlign = 64

// maxSide bounds the width and height of pictures.
const maxSide = 1 << 16

// Plan is a chain made ready for pictures of one size and format. It holds no device resources and
// may be used by several goroutines at once.
type Plan struct {
	In, Out   frame.Info
	OutLayout frame.Layout // of the destination that Record writes
	Scratch   []int        // bytes of the device buffers that each lane needs
	Tables    []byte       // constants, to be uploaded once; at an address aligned to 64 bytes or more
	Identity  bool         // nothing to compute: Out is In, but perhaps for another name of the same format
	Notes     []string     // what the user should be told once

	passes []planned
	fields fields
}

// planned is a pass with everything but addresses.
type planned struct {
	kernel   string
	w, h     int
	params   int32 // offset of its constants in Tables
	src, dst place
}

// place is where a pass finds or puts a picture: the caller's source or destination, or scratch.
type place struct {
	scratch int // index of the scratch buffer, -1: the caller's picture
	layout  frame.Layout
	planes  int
}

// Plan makes the chain ready for pictures of in, converted to format want at the end ("" takes what
// comes out). Errors say which formats would work.
func (c Chain) Plan(in frame.Info, want frame.PixelFormat) (*Plan, error) {
	b := &planner{cur: in}
	if err := c.collect(b, want); err != nil {
		return nil, err
	}
	p := &Plan{In: in, Out: b.cur, Notes: b.notes, Identity: len(b.passes) == 0, fields: b.fields}
	if p.Identity {
		// A format that has no kernel may still pass through; then its layout is the source's.
		p.OutLayout, _ = frame.NewLayout(p.Out.Format, p.Out.Width, p.Out.Height, RowAlign)
		return p, nil
	}
	return p, p.lay(b.passes)
}

// collect runs the filters over the planner.
func (c Chain) collect(b *planner, want frame.PixelFormat) error {
	if len(c.filters) > 0 || want != "" && want != b.cur.Format {
		if err := checkInput(b.cur); err != nil {
			return err
		}
	}
	for i, f := range c.filters {
		if err := f.impl.apply(b); err != nil {
			return fmt.Errorf("filter %d (%s): %w", i+1, f.name, err)
		}
	}
	if want != "" {
		if err := b.toFormat(want); err != nil {
			return fmt.Errorf("output format: %w", err)
		}
	}
	b.close()
	return nil
}

func checkInput(in frame.Info) error {
	if _, err := describe(in.Format); err != nil {
		return fmt.Errorf("input: %w", err)
	}
	if in.Width <= 0 || in.Height <= 0 || in.Width > maxSide || in.Height > maxSide {
		return fmt.Errorf("input: picture size %dx%d is not within 1x1 and %dx%d", in.Width, in.Height, maxSide, maxSide)
	}
	return nil
}

// lay gives every pass its places and its constants.
func (p *Plan) lay(passes []pass) error {
	t := newTables()
	src := place{scratch: -1, planes: planesOf(p.In.Format)}
	for i := range passes {
		s := &passes[i]
		params, err := s.compile(t)
		if err != nil {
			return err
		}
		l, err := frame.NewLayout(s.out.Format, s.out.Width, s.out.Height, RowAlign)
		if err != nil {
			return err
		}
		dst := place{scratch: -1, layout: l, planes: l.NumPlanes}
		if i < len(passes)-1 {
			dst.scratch = p.scratch(i%2, l.Size)
		}
		w, h := s.size()
		p.passes = append(p.passes, planned{s.kernelName(), w, h, params, src, dst})
		src, p.OutLayout = dst, l
	}
	p.Tables = t.data
	return nil
}

// scratch makes scratch buffer i at least so large. Two buffers taken in turns are enough, since a
// pass reads only the picture before it.
func (p *Plan) scratch(i, bytes int) int {
	if i == len(p.Scratch) {
		p.Scratch = append(p.Scratch, 0)
	}
	p.Scratch[i] = max(p.Scratch[i], bytes)
	return i
}

func planesOf(f frame.PixelFormat) int {
	d, _ := frame.Describe(f)
	return d.Planes()
}

// Launches is how many kernels a frame takes.
func (p *Plan) Launches() int { return len(p.passes) }
