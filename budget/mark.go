package budget

import (
	"fmt"
	"strconv"
	"strings"
)

// Mark is an amount of headroom: Bytes, or Percent of the domain's budget; when both are set the
// smaller counts. The zero Mark is 0 bytes.
type Mark struct {
	Bytes   int64
	Percent float64
}

// Of is the mark in bytes for a domain with that budget.
func (m Mark) Of(budget int64) int64 {
	if m.Percent <= 0 {
		return m.Bytes
	}
	p := int64(m.Percent / 100 * float64(budget))
	if m.Bytes <= 0 {
		return p
	}
	return min(p, m.Bytes)
}

// ParseMark reads a mark as a size ("64MiB") or a share of the budget ("5%").
func ParseMark(s string) (Mark, error) {
	num, ok := strings.CutSuffix(strings.TrimSpace(s), "%")
	if !ok {
		n, err := ParseBytes(s)
		return Mark{Bytes: n}, err
	}
	p, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if err != nil || !(p >= 0 && p <= 100) {
		return Mark{}, fmt.Errorf("mark %q is not a share between 0%% and 100%%", s)
	}
	return Mark{Percent: p}, nil
}

// String is the mark as ParseMark reads it.
func (m Mark) String() string {
	switch {
	case m.Percent <= 0:
		return FormatBytes(m.Bytes)
	case m.Bytes <= 0:
		return strconv.FormatFloat(m.Percent, 'f', -1, 64) + "%"
	}
	return fmt.Sprintf("%s or %s%%", FormatBytes(m.Bytes), strconv.FormatFloat(m.Percent, 'f', -1, 64))
}
