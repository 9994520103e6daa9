package encode

import (
	"fmt"
	"os"
)

// Note [Unfinished sequences]
//
// Images of a sequence appear one by one, so that a name does not tell that all are there. While a run writes
// a sequence, an empty temporary file that is named after the pattern lies beside it: .out-%05d.png.XXXXXXXX.pinring-part.
// It is locked while the run lives, and removed when the sequence is complete. One that no process holds says
// that the sequence is unfinished: the run was killed, it failed, or it was interrupted to be taken up again.

// base is the pattern as one spelling of it, the last part of a name.
func (p pattern) base() string {
	if !p.numbered {
		return p.before
	}
	return p.before + fmt.Sprintf("%%0%dd", p.width) + p.after
}

// scratch are the mark of a sequence and the temporary files of its images, or that of the single image.
func (p pattern) scratch() scratch {
	mark := shorten(p.base())
	return scratch{p.dir, func(base string) bool {
		_, ok := p.number(base)
		return ok || base == mark
	}}
}

// unfinished reports whether a sequence has a mark, held or not.
func (p pattern) unfinished() (yes bool) {
	mark := shorten(p.base())
	p.scratch().each(func(_, base string) { yes = yes || base == mark })
	return yes
}

// count is how many images there are of the pattern's names, from the number start on.
func (p pattern) count(start int64) (n int) {
	dir := p.dir
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if k, ok := p.number(e.Name()); ok && (k >= start || !p.numbered) {
			n++
		}
	}
	return n
}

// begin makes the mark of a sequence.
func (p pattern) begin(output string) (*target, error) {
	t := &target{name: output, to: p.dir + p.base()}
	return t, t.create()
}

// end removes the mark, unless the sequence stays unfinished: then the next run finds it.
func (t *target) end(unfinished bool) {
	if t == nil || t.done {
		return
	}
	t.done = true
	if !unfinished {
		_ = os.Remove(t.path)
	}
	t.lock.Close()
}
