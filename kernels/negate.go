package kernels

import (
	"errors"
	"fmt"
	"strings"
)

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

type negateFilter struct {
	set      map[string]bool
	explicit bool // components were chosen: then the picture must have them
}

func buildNegate(v values) (impl, error) {
	set, err := parseFlags(v, "components", []string{"y", "u", "v", "r", "g", "b", "a"})
	if err != nil {
		return nil, err
	}
	alpha, err := choice(v, "negate_alpha", []string{"true", "false"}, booleans)
	if err != nil {
		return nil, err
	}
	if alpha {
		return nil, &valueError{"negate_alpha", 0, errors.New("no format with alpha has kernels")}
	}
	f := negateFilter{set: set, explicit: set["a"]}
	for _, c := range []string{"y", "u", "v", "r", "g", "b"} {
		f.explicit = f.explicit || !set[c]
	}
	return f, nil
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
	names := []string{"y", "u", "v"}[:min(3, len(d.Components))]
	if d.RGB {
		names = []string{"r", "g", "b"}
	}
	if f.explicit {
		for c, on := range f.set {
			if on && !contains(names, c) {
				return fmt.Errorf("pixel format %s has no component %q; it has %s", b.cur.Format, c, strings.Join(names, ", "))
			}
		}
	}
	var flip [3]bool
	for i, c := range names {
		flip[i] = f.set[c]
	}
	b.negate(flip)
	return nil
}
