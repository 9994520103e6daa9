package probe

import (
	"fmt"

	"github.com/pinring/pinring/budget"
)

// Setting is a recommended setting of pinring.yaml, and why.
type Setting struct{ Key, Value, Why string }

// recommend computes settings from what is known of the machine.
func (k *known) recommend() []Setting {
	switch {
	case k.Lacks != nil && k.shown(): // another build can use the card, and reads the same file
		return nil
	case !k.usable():
		return []Setting{{"device", "cpu", "there is no NVIDIA card that could be used, and saying so spares looking for one"}}
	}
	out := []Setting{{"device", "cuda:0", "there is a card; with this a run without it fails instead of going on with the CPU"}}
	card := budget.Card{}
	if c := k.cards(); len(c) > 0 {
		card.TotalBytes = c[0].Total
	}
	limit, why := budget.Cap(k.model(), k.limits, card)
	out = append(out, Setting{"max-pinned", mebibytes(limit), why})
	if k.model().Budgeted() {
		out = append(out, Setting{"guard-policy", "degrade", "where the system budgets, others can take the headroom for good; pageable memory goes on then"})
	}
	if k.Cores > 16 {
		out = append(out, Setting{"decoder-threads", "16", fmt.Sprintf("%d cores: each thread of the decoder holds pictures, which pinned slots are for", k.Cores)})
	}
	return append(out, Setting{"guard", "on", "it slows down before memory runs out, and costs next to nothing"})
}

// mebibytes rounds down, to 1 MiB at least.
func mebibytes(n int64) string { return fmt.Sprintf("%dMiB", max(n>>20, 1)) }

// File is the settings as a file.
func File(settings []Setting) string {
	s := "# computed by doctor from this machine\n"
	for _, x := range settings {
		s += fmt.Sprintf("%s: %s\n", x.Key, yamlText(x.Value))
	}
	return s
}

// yamlText quotes what YAML would take for something else than text: on is a switch to some readers.
func yamlText(s string) string {
	if s == "on" || s == "off" {
		return `"` + s + `"`
	}
	return s
}
