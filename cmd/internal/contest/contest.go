// Package contest is the comparison of staging modes, for every program that makes one: which rows
// there are, with which settings, and how the result is published. How a row runs is the program's.
package contest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pinring/pinring/cmd/internal/cli"
	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/gpu"
)

// Entrant is one row of a comparison.
type Entrant struct {
	Mode    string // as in --modes
	Emulate config.Text
}

// Guarded is the mode that is churn with the guard on.
const Guarded = "guarded"

// defaultModes are the rows of a comparison: the ring, what it replaces, the proof that pinning is
// the cause, and the guard.
var defaultModes = []string{"reuse", "churn", "pageable", Guarded}

// showcase is the card that is emulated where the real device cannot run out of memory.
const showcase = "article-video"

// ParseModes reads --modes.
func ParseModes(text string) ([]string, error) {
	if text == "" {
		return defaultModes, nil
	}
	var known []string
	for m := range StagingModes {
		known = append(known, string(m))
	}
	known = append(known, Guarded)
	slices.Sort(known)
	var modes []string
	for m := range strings.SplitSeq(text, ",") {
		switch {
		case !slices.Contains(known, m):
			hint := "modes: " + strings.Join(known, ", ")
			if near := config.Nearest(m, known); near != "" {
				hint = fmt.Sprintf("the nearest mode is %q", near)
			}
			return nil, cli.Usage(hint, "--modes: %q is not known", m)
		case slices.Contains(modes, m):
			return nil, cli.Usage("", "--modes: %q is there twice", m)
		}
		modes = append(modes, m)
	}
	return modes, nil
}

// Entrants are the rows, and remarks on what was left out. Where the user names no card to emulate,
// the showcase is added to the real device, since a real device under Linux does not charge pinned
// memory to the card.
func Entrants(modes []string, emulate config.Text, dev gpu.Info) (rows []Entrant, notes []string) {
	add := func(emulate config.Text, modes ...string) {
		for _, m := range modes {
			rows = append(rows, Entrant{m, emulate})
		}
	}
	if emulate != "" {
		add(emulate, modes...)
		return rows, nil
	}
	if dev.DriverModelIsWDDM { // what is emulated elsewhere may be seen there for real
		add("", modes...)
		return rows, []string{"Windows manages this card's memory (WDDM), so what it does is shown and no card is emulated; --emulate plays one."}
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

// Settings are those of one row.
func (e Entrant) Settings(c config.Config, formatChosen bool) config.Config {
	c.Budget.Emulate = e.Emulate
	c.Budget.Guard = "off"
	c.Staging.Mode = config.Text(e.Mode)
	if e.Mode == Guarded {
		c.Budget.Guard, c.Staging.Mode = "on", "churn"
	}
	if e.Emulate != "" && !formatChosen {
		c.Staging.Format = "rgb24" // the article's buffers
	}
	return c
}

// Name is the row in a line of talk.
func (e Entrant) Name() string {
	if e.Emulate == "" {
		return e.Mode
	}
	return fmt.Sprintf("%s, emulated %s", e.Mode, e.Emulate)
}
