package kernels

import (
	"fmt"
	"strings"

	"github.com/pinring/pinring/frame"
)

// The filter negate inverts components, as FFmpeg's: each code v becomes (largest code) - v, chroma
// and limited range included. It has no kernel of its own: flipping bits is the last step of the
// store of every kernel.
var negateSpec = Spec{
	Name:    "negate",
	Summary: "Invert the picture's components.",
	Options: []OptionSpec{
		{Name: "components", Type: "flags", Default: "y+u+v+r+g+b", Help: "components to invert: y, u, v, r, g, b, a"},
		{Name: "negate_alpha", Type: "bool", Default: "false", Help: "invert alpha too, where there is one"},
	},
	build: buildNegate,
}

type negateFilter struct {
	set      map[string]bool
	explicit bool // components were chosen: then the picture must have them
	alpha    bool // alpha goes with the others
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
	f := negateFilter{set: set, explicit: set["a"], alpha: alpha}
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
	names := componentNames(d)
	if f.explicit {
		for c, on := range f.set {
			if on && !contains(names[:], c) {
				return fmt.Errorf("pixel format %s has no component %q; it has %s", b.cur.Format, c, strings.Join(present(names), ", "))
			}
		}
	}
	var flip [components]bool
	for i, c := range names {
		flip[i] = c != "" && (f.set[c] || i == alpha && f.alpha)
	}
	b.negate(flip)
	return nil
}

// componentNames are the letters of a format's components by number, empty where it has none.
func componentNames(d *frame.Desc) (names [components]string) {
	letters := [components]string{"y", "u", "v", "a"}
	if d.RGB {
		letters = [components]string{"r", "g", "b", "a"}
	}
	for n, c := range componentsOf(d) {
		if c != nil {
			names[n] = letters[n]
		}
	}
	return names
}

func present(names [components]string) (out []string) {
	for _, n := range names {
		if n != "" {
			out = append(out, n)
		}
	}
	return out
}
