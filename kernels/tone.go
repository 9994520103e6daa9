package kernels

// toneMap is a change of codes of one component, by a line or by a table. The zero value changes
// nothing. Any sequence of changes is one table, so neighbouring filters that work on single samples
// cost one step at the end of whatever pass comes before.
type toneMap struct {
	line     bool
	mul, add int      // line: clamp((code*mul >> 12) + add)
	table    []uint16 // one entry per code
}

// toneBits is the precision of toneMap.mul.
const toneBits = 12

func (t toneMap) none() bool { return !t.line && t.table == nil }

// at is the code that becomes of code c.
func (t toneMap) at(c, top int) int {
	switch {
	case t.line:
		return min(max((c*t.mul>>toneBits)+t.add, 0), top)
	case t.table != nil:
		return int(t.table[c])
	}
	return c
}

// after is the map that does first, then a flip if any, then t.
func (t toneMap) after(first toneMap, flip bool, depth int) toneMap {
	if first.none() && !flip {
		return t
	}
	top := 1<<depth - 1
	table := make([]uint16, top+1)
	for c := range table {
		v := first.at(c, top)
		if flip {
			v = top - v
		}
		table[c] = uint16(t.at(v, top))
	}
	return toneMap{table: table}
}

// lineDepth is the most bits that the kernels' lines have room for.
const lineDepth = 11

// cells stores the map for the kernels.
func (t toneMap) cells(tab *tables) toneCells {
	switch {
	case t.line:
		return toneCells{Kind: toneLine, Mul: int32(t.mul), Add: int32(t.add)}
	case t.table != nil:
		return toneCells{Kind: toneTable, LUT: tab.add(t.table)}
	}
	return toneCells{}
}

func (t toneMap) equal(o toneMap) bool {
	if t.line != o.line || t.mul != o.mul || t.add != o.add || len(t.table) != len(o.table) {
		return false
	}
	for i := range t.table {
		if t.table[i] != o.table[i] {
			return false
		}
	}
	return true
}

// tone changes the codes of components, in whatever pass comes before: tones and flips are the last
// things that a pass does.
func (b *planner) tone(maps [components]toneMap, depth int) {
	all := true
	for _, m := range maps {
		all = all && m.none()
	}
	if all {
		return
	}
	p := b.pass()
	for i, m := range maps {
		if !m.none() {
			p.tone[i] = m.after(p.tone[i], p.flip[i], depth)
			p.flip[i] = false
		}
	}
}

func (p *pass) toned() bool {
	for _, t := range p.tone {
		if !t.none() {
			return true
		}
	}
	return false
}
