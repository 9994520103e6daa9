package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
)

// entrant is one row of a comparison.
type entrant struct {
	mode    string // as in --modes
	emulate config.Text
}

// guarded is the mode that is churn with the guard on.
const guarded = "guarded"

// defaultModes are the rows of a comparison: the ring, what it replaces, the proof that pinning is
// the cause, and the guard.
var defaultModes = []string{"reuse", "churn", "pageable", guarded}

// showcase is the card that is emulated where the real device cannot run out of memory.
const showcase = "article-video"

// parseModes reads --modes.
func parseModes(text string) ([]string, error) {
	if text == "" {
		return defaultModes, nil
	}
	var known []string
	for m := range stagingModes {
		known = append(known, string(m))
	}
	known = append(known, guarded)
	slices.Sort(known)
	var modes []string
	for m := range strings.SplitSeq(text, ",") {
		switch {
		case !slices.Contains(known, m):
			hint := "modes: " + strings.Join(known, ", ")
			if near := config.Nearest(m, known); near != "" {
				hint = fmt.Sprintf("the nearest mode is %q", near)
			}
			return nil, usage(hint, "--modes: %q is not known", m)
		case slices.Contains(modes, m):
			return nil, usage("", "--modes: %q is there twice", m)
		}
		modes = append(modes, m)
	}
	return modes, nil
}

// entrants are the rows, and remarks on what was left out. Where the user names no card to emulate,
// the showcase is added to the real device, since a real device under Linux does not charge pinned
// memory to the card.
func entrants(modes []string, emulate config.Text, dev gpu.Info) (rows []entrant, notes []string) {
	add := func(emulate config.Text, modes ...string) {
		for _, m := range modes {
			rows = append(rows, entrant{m, emulate})
		}
	}
	if emulate != "" {
		add(emulate, modes...)
		return rows, nil
	}
	if dev.Unified { // what there is to see comes first
		add(showcase, modes...)
		if slices.Contains(modes, "reuse") {
			add("", "reuse")
			notes = append(notes, "On the CPU device all staging modes are the same thing, so only one of them is shown.")
		}
	} else {
		add("", modes...)
		add(showcase, modes...)
	}
	return rows, append(notes, fmt.Sprintf("The card %s is emulated to show what this device cannot: memory that runs out.", showcase))
}

// settings are those of one row.
func (e entrant) settings(c config.Config, formatChosen bool) config.Config {
	c.Budget.Emulate = e.emulate
	c.Budget.Guard = "off"
	c.Staging.Mode = config.Text(e.mode)
	if e.mode == guarded {
		c.Budget.Guard, c.Staging.Mode = "on", "churn"
	}
	if e.emulate != "" && !formatChosen {
		c.Staging.Format = "rgb24" // the article's buffers
	}
	return c
}

// name is the row in a line of talk.
func (e entrant) name() string {
	if e.emulate == "" {
		return e.mode
	}
	return fmt.Sprintf("%s, emulated %s", e.mode, e.emulate)
}
