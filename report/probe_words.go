package report

import (
	"fmt"
	"strings"
)

// block writes a size that was chosen in powers of two: 128 MiB, 2 GiB.
func block(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return count(n) + " B"
}

// later writes a time given in milliseconds.
func later(ms float64) string {
	switch {
	case ms >= 99_950:
		return fmt.Sprintf("%.0f s", ms/1000)
	case ms >= 999.5:
		return fmt.Sprintf("%.1f s", ms/1000)
	case ms >= 9.95:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f ms", ms)
}

// domainName is what people call a domain.
func domainName(domain string) string {
	switch domain {
	case "local":
		return "video memory"
	case "shared":
		return "shared GPU memory"
	}
	return "host memory"
}

// where says on which machine, so that nobody takes an emulated figure for a measured one.
func (p *Probe) where() string {
	switch {
	case !p.Emulated:
		return ""
	case p.Emulation == nil:
		return "On the emulated card: "
	}
	return "On the emulated card " + p.Emulation.Profile + ": "
}

// sentence is a text with where it holds.
func (p *Probe) sentence(text string) string {
	if w := p.where(); w != "" {
		return w + text
	}
	return upper(text)
}

// upper makes a sentence of a clause.
func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// span is one number or two, when they differ in print.
func span(low, high string) string {
	if low == high {
		return low
	}
	return low + " to " + high
}

func ratioText(f float64) string { return fmt.Sprintf("%.3f", f) }
