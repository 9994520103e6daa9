package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pinring/pinring/frame"
	"github.com/pinring/pinring/internal/av"
	"github.com/pinring/pinring/kernels"
)

// docs/pixel-formats.md says of every format of the FFmpeg that is linked what becomes of it. When this
// fails, put the table that it prints into the page.
func TestPixelFormatsPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "pixel-formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	computed, converted, passing := sortedFormats()
	for _, table := range []string{tableOf("bits per sample", "formats", computed), tableOf("converted to", "formats", converted), wrapped(passing)} {
		if !strings.Contains(string(page), table) {
			t.Errorf("the page lacks this:\n%s", table)
		}
	}
}

// sortedFormats puts every format into the place that the program gives it: with kernels by depth,
// converted by what they become, and passing.
func sortedFormats() (computed, converted map[string][]string, passing []string) {
	computed, converted = map[string][]string{}, map[string][]string{}
	for _, f := range av.Formats() {
		switch d, ok := frame.Describe(f); {
		case ok && kernels.Has(f):
			name := fmt.Sprintf("%2d", d.Depth())
			computed[name] = append(computed[name], string(f))
		case av.Converts(f):
			to := string(av.BestFormat(kernels.Formats(), f))
			if to == strings.TrimSuffix(string(f), "be")+"le" {
				to = " the same ending in `le`" // a space, to come first
			}
			converted[to] = append(converted[to], string(f))
		default:
			passing = append(passing, string(f))
		}
	}
	return computed, converted, passing
}

func tableOf(left, right string, rows map[string][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |\n|---|---|\n", left, right)
	keys := make([]string, 0, len(rows))
	for k := range rows {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.TrimSpace(k), strings.Join(rows[k], ", "))
	}
	return b.String()
}

// wrapped breaks a list into lines.
func wrapped(list []string) string {
	return regexp.MustCompile(`(.{90,110},) `).ReplaceAllString(strings.Join(list, ", "), "$1\n")
}
