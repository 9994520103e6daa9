package kernels

import (
	"testing"

	"github.com/pinring/pinring/frame"
)

// TestFields says of each filter whether the two fields of a picture are still there, and which is first.
func TestFields(t *testing.T) {
	for chain, want := range map[string]frame.Meta{
		"negate":                  {Interlaced: true, TopFieldFirst: true},
		"format=yuv444p":          {Interlaced: true, TopFieldFirst: true},
		"hflip":                   {Interlaced: true, TopFieldFirst: true},
		"vflip":                   {Interlaced: true},
		"vflip,negate,vflip":      {Interlaced: true, TopFieldFirst: true},
		"hflip,vflip":             {Interlaced: true},
		"scale=64:72":             {Interlaced: true, TopFieldFirst: true},
		"scale=64:36":             {},
		"scale=64:36,scale=90:72": {},
		"transpose":               {},
		"transpose,transpose":     {},
		"vflip,scale=64:144":      {},
	} {
		c, err := Parse(chain)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Plan(frame.Info{Format: "yuv420p", Width: 90, Height: 72}, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Describe(frame.Meta{Interlaced: true, TopFieldFirst: true}); got != want {
			t.Errorf("%s: %+v, want %+v", chain, got, want)
		}
		if got := p.Describe(frame.Meta{Index: 3}); got != (frame.Meta{Index: 3}) {
			t.Errorf("%s: a progressive picture became %+v", chain, got)
		}
	}
	c, _ := Parse("vflip")
	p, err := c.Plan(frame.Info{Format: "yuv420p", Width: 90, Height: 73}, "")
	if err != nil {
		t.Fatal(err)
	}
	if m := p.Describe(frame.Meta{Interlaced: true, TopFieldFirst: true}); !m.TopFieldFirst {
		t.Error("an odd number of lines upside down begins with the same field")
	}
}
