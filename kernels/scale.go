package kernels

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pinring/pinring/frame"
)

// The filter scale resizes the picture and sets range and matrix, as FFmpeg's. Its kernels are those
// of planes.cu and, together with a change of colour model, convert.cu.
var scaleSpec = Spec{
	Name:    "scale",
	Summary: "Resize the picture.",
	Options: []OptionSpec{
		{Name: "w", Aliases: []string{"width"}, Type: "expression", Default: "iw",
			Help: "output width; 0: input width; -n: keep the aspect ratio, divisible by n; alone: a size such as 1280x720 or hd720"},
		{Name: "h", Aliases: []string{"height"}, Type: "expression", Default: "ih",
			Help: "output height; 0: input height; -n: keep the aspect ratio, divisible by n"},
		{Name: "flags", Type: "flags", Default: "bicubic",
			Help: "bicubic or bilinear; accurate_rnd, full_chroma_int, full_chroma_inp, bitexact are always so"},
		{Name: "size", Aliases: []string{"s"}, Type: "size", Help: "output size: 1280x720, hd720, …"},
		{Name: "in_color_matrix", Type: "matrix", Default: "auto", Help: "matrix of the input, whatever its tag says"},
		{Name: "out_color_matrix", Type: "matrix", Default: "auto", Help: "matrix of the output, for input in RGB"},
		{Name: "in_range", Type: "one of auto|tv|pc", Default: "auto", Help: "range of the input, whatever its tag says"},
		{Name: "out_range", Type: "one of auto|tv|pc", Default: "auto", Help: "range of the output"},
		{Name: "force_original_aspect_ratio", Type: "one of disable|decrease|increase", Default: "disable",
			Help: "shrink or grow the size to keep the aspect ratio"},
		{Name: "force_divisible_by", Type: "int", Default: "1",
			Help: "with force_original_aspect_ratio: make the size divisible by this"},
	},
	build: buildScale,
}

type scaleFilter struct {
	size                sizeRule
	method              method
	inRange, outRange   string // "", "tv", "pc"
	inMatrix, outMatrix string // "" or a name of matrices
}

var rangeWords = map[string]string{
	"auto": "", "unknown": "", "0": "", "tv": "tv", "limited": "tv", "mpeg": "tv", "1": "tv",
	"pc": "pc", "full": "pc", "jpeg": "pc", "2": "pc",
}

func buildScale(v values) (impl, error) {
	var f scaleFilter
	var err error
	if f.size, err = buildSize(v); err != nil {
		return nil, err
	}
	if f.method, err = buildMethod(v); err != nil {
		return nil, err
	}
	ranges := []string{"auto", "tv", "pc", "limited", "full", "mpeg", "jpeg", "unknown"}
	if f.inRange, err = choice(v, "in_range", ranges, rangeWords); err != nil {
		return nil, err
	}
	if f.outRange, err = choice(v, "out_range", ranges, rangeWords); err != nil {
		return nil, err
	}
	if f.inMatrix, err = matrixOption(v, "in_color_matrix"); err != nil {
		return nil, err
	}
	f.outMatrix, err = matrixOption(v, "out_color_matrix")
	return f, err
}

func matrixOption(v values, option string) (string, error) {
	s := v.get(option)
	if s == "auto" {
		return "", nil
	}
	if _, err := matrixByName(s); err != nil {
		return "", &valueError{option, 0, err}
	}
	if a, ok := matrixAliases[s]; ok {
		s = a
	}
	return s, nil
}

// Flags of swscale: methods that have no kernel, and flags that change nothing here.
var (
	otherMethods = []string{"fast_bilinear", "experimental", "neighbor", "area", "bicublin", "gauss", "sinc", "lanczos", "spline"}
	noFlags      = []string{"accurate_rnd", "full_chroma_int", "full_chroma_inp", "bitexact", "print_info"}
)

func buildMethod(v values) (method, error) {
	known := append(append([]string{"bicubic", "bilinear"}, noFlags...), otherMethods...)
	set, err := parseFlags(v, "flags", known)
	if err != nil {
		return 0, err
	}
	for _, m := range otherMethods {
		if set[m] {
			return 0, &valueError{"flags", max(0, strings.Index(v.get("flags"), m)),
				fmt.Errorf("%s has no kernel; bicubic and bilinear have", m)}
		}
	}
	if set["bicubic"] && set["bilinear"] {
		return 0, &valueError{"flags", 0, errors.New("bicubic and bilinear exclude each other")}
	}
	if set["bilinear"] {
		return bilinear, nil
	}
	return bicubic, nil
}

func (f scaleFilter) apply(b *planner) error {
	d, err := describe(b.cur.Format)
	if err != nil {
		return err
	}
	if !d.RGB {
		b.retag(f.inRange, f.inMatrix)
	}
	w, h, err := f.size.eval(b.cur, d)
	if err != nil {
		return err
	}
	b.resize(w, h, f.method)
	return f.applyColor(b, d)
}

// applyColor sets the output's range and matrix.
func (f scaleFilter) applyColor(b *planner, d *frame.Desc) error {
	c := b.cur.Color
	if f.outMatrix != "" && d.RGB {
		b.rgbMatrix = f.outMatrix
	} else if f.outMatrix != "" && f.outMatrix != c.Matrix {
		return fmt.Errorf("no kernel changes the matrix of YUV (%q to %q); go by way of RGB: format=rgb24,scale=out_color_matrix=%s,format=%s",
			c.Matrix, f.outMatrix, f.outMatrix, b.cur.Format)
	}
	if f.outRange == "" || d.RGB {
		return nil
	}
	if d.FullRangeYUV && f.outRange == "tv" {
		return fmt.Errorf("pixel format %s is of full range; for limited range write format=yuv420p before scale=out_range=tv", b.cur.Format)
	}
	c.Range = f.outRange
	b.convert(b.cur.Format, c)
	return nil
}
