package wddm

import (
	"fmt"
	"strings"
)

// Help lists the parameters, one "name  what it is" a line.
func Help() []string {
	var lines []string
	for _, k := range keys {
		lines = append(lines, fmt.Sprintf("%-16s %s", k.name, k.help))
	}
	return lines
}

// Parse reads PROFILE[,key=value…]. It is strict: unknown names and values that make no sense are
// errors, which name the nearest that exists.
func Parse(s string) (Params, error) {
	parts := strings.Split(s, ",")
	p, err := Lookup(strings.TrimSpace(parts[0]))
	if err != nil {
		return p, err
	}
	given := map[string]bool{}
	for _, part := range parts[1:] {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok {
			return p, fmt.Errorf("emulated card: %q is not key=value", part)
		}
		k, err := findKey(name)
		if err != nil {
			return p, err
		}
		if given[name] && name != "pressure" {
			return p, fmt.Errorf("emulated card: %s is given twice", name)
		}
		given[name] = true
		if err := k.set(&p, value); err != nil {
			return p, fmt.Errorf("emulated card: %s=%s: %w", name, value, err)
		}
	}
	if err := p.reconcile(given); err != nil {
		return p, err
	}
	return p, p.Validate()
}

// reconcile lets what was given win over what the profile had.
func (p *Params) reconcile(given map[string]bool) error {
	switch {
	case given["budget"] && given["headroom"] && p.Budget > 0 && p.Headroom > 0:
		return fmt.Errorf("emulated card: budget and headroom exclude each other")
	case given["headroom"] && p.Headroom > 0:
		p.Budget = 0
	case given["budget"] && p.Budget > 0:
		p.Headroom = 0
	}
	if p.Card != "" && p.Clock == MediaClock {
		if given["clock"] {
			return fmt.Errorf("emulated card: processes that share card=%s need clock=wall", p.Card)
		}
		p.Clock = WallClock
	}
	return nil
}

func findKey(name string) (*key, error) {
	names := make([]string, len(keys))
	for i := range keys {
		if keys[i].name == name {
			return &keys[i], nil
		}
		names[i] = keys[i].name
	}
	return nil, fmt.Errorf("emulated card: no parameter %q%s", name, suggest(name, names))
}

// String is the card as [Parse] reads it: the profile and what differs from it.
func (p Params) String() string {
	s := p.Profile
	def, err := Lookup(p.Profile)
	if err != nil {
		return s
	}
	for _, k := range keys {
		v := k.get(&p)
		if v == k.get(&def) {
			continue
		}
		if k.name != "pressure" {
			s += "," + k.name + "=" + v
			continue
		}
		for _, x := range p.Pressure {
			s += ",pressure=" + x.String()
		}
	}
	return s
}
