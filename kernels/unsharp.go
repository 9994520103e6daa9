package kernels

import (
	"errors"
	"fmt"

	"github.com/pinring/pinring/frame"
)

// The filter unsharp sharpens or blurs, as FFmpeg's. Its kernel is unsharp.cu.
var unsharpSpec = Spec{
	Name:    "unsharp",
	Summary: "Sharpen or blur the picture.",
	Notes: []string{
		"8 bits: the same bytes as FFmpeg's. More bits: the same effect as in 8 bits; FFmpeg 5.1's is 256 times weaker there.",
		"RGB is refused: put format=yuv444p before it.",
	},
	Options: []OptionSpec{
		{Name: "luma_msize_x", Aliases: []string{"lx"}, Type: "int", Default: "5", Help: "width of luma's kernel, odd, 3 to 23"},
		{Name: "luma_msize_y", Aliases: []string{"ly"}, Type: "int", Default: "5", Help: "its height, odd, 3 to 23; width/2 + height/2 are 12 at most"},
		{Name: "luma_amount", Aliases: []string{"la"}, Type: "float", Default: "1", Help: "-2 to 5; negative values blur, 0 leaves luma as it is"},
		{Name: "chroma_msize_x", Aliases: []string{"cx"}, Type: "int", Default: "5", Help: "width of chroma's kernel"},
		{Name: "chroma_msize_y", Aliases: []string{"cy"}, Type: "int", Default: "5", Help: "its height"},
		{Name: "chroma_amount", Aliases: []string{"ca"}, Type: "float", Default: "0", Help: "as luma_amount, for chroma"},
		{Name: "alpha_msize_x", Aliases: []string{"ax"}, Type: "int", Default: "5", Help: "width of alpha's kernel; alpha stays as it is whatever these say"},
		{Name: "alpha_msize_y", Aliases: []string{"ay"}, Type: "int", Default: "5", Help: "its height"},
		{Name: "alpha_amount", Aliases: []string{"aa"}, Type: "float", Default: "0", Help: "as luma_amount, for alpha"},
	},
	build: buildUnsharp,
}

// sharpening is a binomial kernel that reaches rx and ry samples to each side, and an amount of
// 65536ths.
type sharpening struct{ rx, ry, amount int }

// maxSharpBits bounds 2*(rx+ry), the bits that a kernel's weights take, as FFmpeg does.
const maxSharpBits = 25

type unsharpFilter [2]sharpening // luma, chroma

func buildUnsharp(v values) (impl, error) {
	var f unsharpFilter
	for i, group := range []string{"luma", "chroma", "alpha"} {
		s, err := buildSharpening(v, group)
		if err != nil {
			return nil, err
		}
		if i < len(f) {
			f[i] = s
		}
	}
	return f, nil
}

func buildSharpening(v values, group string) (s sharpening, err error) {
	if s.rx, err = reach(v, group+"_msize_x"); err != nil {
		return s, err
	}
	if s.ry, err = reach(v, group+"_msize_y"); err != nil {
		return s, err
	}
	if bits := 2 * (s.rx + s.ry); bits > maxSharpBits {
		return s, &valueError{group + "_msize_x", 0, fmt.Errorf("%d by %d is too large: the halves of width and height may add up to %d, these do to %d",
			2*s.rx+1, 2*s.ry+1, maxSharpBits/2, bits/2)}
	}
	option := group + "_amount"
	e, bad := compileExpr(v.get(option), nil)
	if bad != nil {
		return s, &valueError{option, bad.offset, errors.New(bad.message)}
	}
	a := e.eval(nil)
	if !(a >= -2 && a <= 5) {
		return s, &valueError{option, 0, fmt.Errorf("%s is not from -2 to 5", v.get(option))}
	}
	s.amount = int(float64(float32(a)) * 65536)
	return s, nil
}

// reach is how far a kernel of that size reaches to each side.
func reach(v values, option string) (int, error) {
	n, err := v.integer(option, 3, 23)
	if err == nil && n%2 == 0 {
		err = &valueError{option, 0, fmt.Errorf("%d is even; sizes are odd", n)}
	}
	return n / 2, err
}

func (f unsharpFilter) apply(b *planner) error {
	d, err := describe(b.cur.Format)
	if err != nil {
		return err
	}
	if d.RGB {
		return &FormatError{Format: b.cur.Format, Filter: "unsharp", Hint: "put format=yuv444p before it"}
	}
	if grey(d) {
		f[1].amount = 0
	}
	if f[0].amount == 0 && f[1].amount == 0 {
		return nil
	}
	if d.Components[0].Shift != 0 { // p010le: the kernel reads plain codes
		if err := b.toFormat(planarTwin(d)); err != nil {
			return err
		}
	}
	b.close()
	b.pass().sharp = f
	return nil
}

// planarTwin is the format with the same depth and chroma and a plane for each component.
func planarTwin(d *frame.Desc) frame.PixelFormat {
	for _, f := range formats {
		if g, _ := frame.Describe(f); g.Planes() == len(d.Components) && len(g.Components) == len(d.Components) && !g.RGB &&
			g.Depth() == d.Depth() && g.Log2ChromaW == d.Log2ChromaW && g.Log2ChromaH == d.Log2ChromaH {
			return f
		}
	}
	return frame.YUV444P10
}

// cells stores the kernels' constants. The amount is split so that both parts fit into 16 bits.
func (s sharpening) cells(t *tables) sharpCells {
	if s.amount == 0 {
		return sharpCells{}
	}
	whole := (s.amount + 1<<15) >> 16
	weights := append(binomial(2*s.ry), binomial(2*s.rx)...)
	return sharpCells{RX: int32(s.rx), RY: int32(s.ry), Whole: int32(whole), Part: int32(s.amount - whole<<16), Coef: t.add(weights)}
}

// binomial gives the n+1 coefficients of (a+b)^n.
func binomial(n int) []uint32 {
	row := make([]uint32, n+1)
	row[0] = 1
	for i := 1; i <= n; i++ {
		for k := i; k > 0; k-- {
			row[k] += row[k-1]
		}
	}
	return row
}
