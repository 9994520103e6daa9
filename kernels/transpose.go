package kernels

import (
	"fmt"

	"github.com/pinring/pinring/frame"
)

// The filters transpose, hflip and vflip turn and mirror the picture, as FFmpeg's. Their kernel is
// that of turn.cu; turns that follow one another are one launch.
var transposeSpec = Spec{
	Name:    "transpose",
	Summary: "Exchange rows and columns of the picture: a quarter turn, mirrored or not.",
	Options: []OptionSpec{
		{Name: "dir", Type: "one of cclock_flip|clock|cclock|clock_flip", Default: "cclock_flip",
			Help: "direction of the turn; cclock_flip and clock_flip also mirror; 0 to 3 mean the same"},
		{Name: "passthrough", Type: "one of none|portrait|landscape", Default: "none",
			Help: "leave pictures alone that are upright (height not below width), or lie, already"},
	},
	build: buildTranspose,
}

var hflipSpec = Spec{Name: "hflip", Summary: "Mirror the picture: left and right are exchanged.", build: buildFlip(turn{mirrorX: true})}

var vflipSpec = Spec{Name: "vflip", Summary: "Turn the picture upside down, as a mirror on the ground does.", build: buildFlip(turn{mirrorY: true})}

type transposeFilter struct {
	turn        turn
	passthrough string // "", "portrait", "landscape"
}

var directions = map[string]turn{
	"cclock_flip": {transposed: true},
	"clock":       {transposed: true, mirrorY: true},
	"cclock":      {transposed: true, mirrorX: true},
	"clock_flip":  {transposed: true, mirrorX: true, mirrorY: true},
}

func buildTranspose(v values) (impl, error) {
	words := []string{"cclock_flip", "clock", "cclock", "clock_flip"}
	dirs := map[string]turn{}
	for i, w := range words {
		dirs[w], dirs[fmt.Sprint(i)] = directions[w], directions[w]
	}
	// As in FFmpeg, 4 to 7 are old spellings of "0 to 3, but not when the picture lies already".
	old := v.get("dir")
	for i := range words {
		dirs[fmt.Sprint(4+i)] = directions[words[i]]
	}
	var f transposeFilter
	var err error
	if f.turn, err = choice(v, "dir", words, dirs); err != nil {
		return nil, err
	}
	f.passthrough, err = choice(v, "passthrough", []string{"none", "portrait", "landscape"},
		map[string]string{"none": "", "0": "", "landscape": "landscape", "1": "landscape", "portrait": "portrait", "2": "portrait"})
	if len(old) == 1 && old >= "4" && old <= "7" {
		f.passthrough = "landscape"
	}
	return f, err
}

func (f transposeFilter) apply(b *planner) error {
	w, h := b.cur.Width, b.cur.Height
	if f.passthrough == "portrait" && w <= h || f.passthrough == "landscape" && w >= h {
		return nil
	}
	if err := b.squareChroma(); err != nil {
		return err
	}
	b.turn(f.turn)
	return nil
}

type flipFilter struct{ turn turn }

func buildFlip(t turn) func(values) (impl, error) {
	return func(values) (impl, error) { return flipFilter{t}, nil }
}

func (f flipFilter) apply(b *planner) error {
	if _, err := describe(b.cur.Format); err != nil {
		return err
	}
	b.turn(f.turn)
	return nil
}

// squareChroma gives formats whose chroma is not as wide as high, which a quarter turn would change
// into formats that hardly any encoder takes, chroma of full size. FFmpeg's transpose has the same
// done to them.
func (b *planner) squareChroma() error {
	d, err := describe(b.cur.Format)
	if err != nil {
		return err
	}
	if d.Log2ChromaW == d.Log2ChromaH {
		return nil
	}
	return b.toFormat(fullChroma(d))
}

// fullChroma is the format like d whose chroma is not subsampled.
func fullChroma(d *frame.Desc) frame.PixelFormat {
	for _, f := range formats {
		if g, _ := frame.Describe(f); g.Log2ChromaW == 0 && g.Log2ChromaH == 0 && g.RGB == d.RGB && g.Alpha == d.Alpha &&
			len(g.Components) == len(d.Components) && g.Planes() == d.Planes() && g.Depth() == d.Depth() &&
			g.Components[0].Shift == d.Components[0].Shift && g.FullRangeYUV == d.FullRangeYUV {
			return f
		}
	}
	return frame.YUV444P10 // nv20le, which has no relative of full chroma
}
