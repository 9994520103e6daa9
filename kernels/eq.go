package kernels

import (
	"errors"
	"fmt"
	"math"
)

// The filter eq changes contrast, brightness, saturation and gamma, as FFmpeg's. It has no kernel of
// its own: it is tones, which are the last step but one of every kernel (tone.h).
//
// In 8 bits the result is FFmpeg's to the byte. FFmpeg has no other depth and would convert; in more
// bits the same formulas are used with more codes.
var eqSpec = Spec{
	Name:    "eq",
	Summary: "Adjust contrast, brightness, saturation and gamma.",
	Notes: []string{
		"8 bits: the same bytes as FFmpeg's. More bits: computed in full depth, where FFmpeg converts to 8 bits first.",
		"RGB is refused: put format=yuv444p before it.",
	},
	Options: []OptionSpec{
		{Name: "contrast", Type: "expression", Default: "1.0", Help: "-1000 to 1000; negative values give a negative picture"},
		{Name: "brightness", Type: "expression", Default: "0.0", Help: "-1 to 1"},
		{Name: "saturation", Type: "expression", Default: "1.0", Help: "0 to 3"},
		{Name: "gamma", Type: "expression", Default: "1.0", Help: "0.1 to 10"},
		{Name: "gamma_r", Type: "expression", Default: "1.0", Help: "gamma of red, 0.1 to 10"},
		{Name: "gamma_g", Type: "expression", Default: "1.0", Help: "gamma of green, 0.1 to 10"},
		{Name: "gamma_b", Type: "expression", Default: "1.0", Help: "gamma of blue, 0.1 to 10"},
		{Name: "gamma_weight", Type: "expression", Default: "1.0", Help: "0 to 1; how much gamma does in bright parts"},
		{Name: "eval", Type: "one of init", Default: "init", Help: "when expressions are evaluated: once, at the start"},
	},
	build: buildEq,
}

// eqRanges bound the options, which are clipped as FFmpeg clips them.
var eqRanges = map[string][2]float32{
	"contrast": {-1000, 1000}, "brightness": {-1, 1}, "saturation": {0, 3},
	"gamma": {0.1, 10}, "gamma_r": {0.1, 10}, "gamma_g": {0.1, 10}, "gamma_b": {0.1, 10}, "gamma_weight": {0, 1},
}

// eqCurve is what eq does to one component.
type eqCurve struct{ contrast, brightness, gamma, weight float64 }

type eqFilter [3]eqCurve

func buildEq(v values) (impl, error) {
	switch v.get("eval") {
	case "init", "0":
	case "frame", "1":
		return nil, &valueError{"eval", 0, errors.New("expressions are evaluated once, at the start; evaluation per frame does not exist here")}
	default:
		return nil, &valueError{"eval", 0, fmt.Errorf("%s", unknown("value", v.get("eval"), []string{"init"}))}
	}
	x := map[string]float64{}
	for name := range eqRanges {
		var err error
		if x[name], err = eqValue(v, name); err != nil {
			return nil, err
		}
	}
	f := eqFilter{
		{x["contrast"], x["brightness"], x["gamma"] * x["gamma_g"], x["gamma_weight"]},
		{x["saturation"], 0, math.Sqrt(x["gamma_b"] / x["gamma_g"]), x["gamma_weight"]},
		{x["saturation"], 0, math.Sqrt(x["gamma_r"] / x["gamma_g"]), x["gamma_weight"]},
	}
	return f, nil
}

// eqValue evaluates an option, clipped to its range in single precision as FFmpeg does it.
func eqValue(v values, option string) (float64, error) {
	e, bad := compileExpr(v.get(option), nil)
	if bad != nil {
		if _, err := compileExpr(v.get(option), []string{"n", "pos", "r", "t"}); err == nil {
			return 0, &valueError{option, bad.offset, errors.New("n, pos, r and t change from frame to frame; expressions are evaluated once, at the start")}
		}
		return 0, &valueError{option, bad.offset, errors.New(bad.message)}
	}
	x := float32(e.eval(nil))
	if x != x {
		return 0, &valueError{option, 0, errors.New("the value is not a number")}
	}
	r := eqRanges[option]
	return float64(min(max(x, r[0]), r[1])), nil
}

func (f eqFilter) apply(b *planner) error {
	d, err := describe(b.cur.Format)
	if err != nil {
		return err
	}
	if d.RGB {
		return &FormatError{Format: b.cur.Format, Filter: "eq", Hint: "put format=yuv444p before it"}
	}
	var maps [components]toneMap
	for i, c := range componentsOf(d) {
		if c != nil && i != alpha {
			maps[i] = f[i].tone(d.Depth())
		}
	}
	b.tone(maps, d.Depth())
	return nil
}

// tone chooses as FFmpeg does: nothing, a line, or a table where there is gamma or where the line
// would overflow 16 bits.
func (c eqCurve) tone(depth int) toneMap {
	switch {
	case c.contrast == 1 && c.brightness == 0 && c.gamma == 1:
		return toneMap{}
	case c.gamma == 1 && math.Abs(c.contrast) < 7.9:
		return c.line(depth)
	}
	return toneMap{table: c.table(depth)}
}

// line is contrast*(code - middle) + middle + brightness, with the constants of FFmpeg's arithmetic:
// brightness is a whole percentage, the middle lies between two codes.
func (c eqCurve) line(depth int) toneMap {
	up := 1 << (depth - 8)
	mul := int(c.contrast * (1 << toneBits))
	add := int(100*c.brightness+100)*(512*up-1)/200 - 128*up - mul*up/32
	t := toneMap{line: true, mul: mul, add: add}
	if depth <= lineDepth {
		return t
	}
	return toneMap{table: t.tabulated(depth)}
}

func (t toneMap) tabulated(depth int) []uint16 {
	table := make([]uint16, 1<<depth)
	for c := range table {
		table[c] = uint16(t.at(c, len(table)-1))
	}
	return table
}

// table is the line in fractions of the scale, then the gamma curve, mixed by weight.
func (c eqCurve) table(depth int) []uint16 {
	table := make([]uint16, 1<<depth)
	top := float64(len(table) - 1)
	for i := range table {
		v := c.contrast*(float64(i)/top-0.5) + 0.5 + c.brightness
		if v <= 0 {
			continue
		}
		v = v*(1-c.weight) + math.Pow(v, 1/c.gamma)*c.weight
		table[i] = uint16(min(v*(top+1), top))
	}
	return table
}
