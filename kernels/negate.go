package kernels

// The filter negate inverts components, as FFmpeg's: each code v becomes (largest code) - v, chroma
// and limited range included. It has no kernel of its own: flipping bits is the last step of the
// store of every kernel.
var negateSpec = Spec{
	Name:    "negate",
	Summary: "Invert the picture's components.",
	Options: []OptionSpec{
		{Name: "components", Type: "flags", Default: "y+u+v+r+g+b", Help: "components to invert: y, u, v, r, g, b, a"},
		{Name: "negate_alpha", Type: "bool", Default: "false", Help: "invert alpha too; no format with alpha has kernels yet"},
	},
	build: buildNegate,
}

type negateFilter struct{ yuv, rgb [3]bool }

func buildNegate(v values) (impl, error) {
	set, err := parseFlags(v, "components", []string{"y", "u", "v", "r", "g", "b", "a"})
	if err != nil {
		return nil, err
	}
	if _, err := choice(v, "negate_alpha", []string{"true", "false"}, booleans); err != nil {
		return nil, err
	}
	return negateFilter{
		yuv: [3]bool{set["y"], set["u"], set["v"]},
		rgb: [3]bool{set["r"], set["g"], set["b"]},
	}, nil
}

// booleans are the spellings that FFmpeg accepts.
var booleans = map[string]bool{
	"true": true, "y": true, "yes": true, "enable": true, "enabled": true, "on": true, "1": true,
	"false": false, "n": false, "no": false, "disable": false, "disabled": false, "off": false, "0": false,
}

func (f negateFilter) apply(b *planner) error {
	d, err := describe(b.cur.Format)
	if err != nil {
		return err
	}
	flip := f.yuv
	if d.RGB {
		flip = f.rgb
	}
	for i := len(d.Components); i < len(flip); i++ {
		flip[i] = false // the picture has no such component
	}
	b.negate(flip)
	return nil
}
