package budget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Sizes. GB and MB are powers of ten, GiB and MiB powers of two.
const (
	KiB = int64(1) << 10
	MiB = int64(1) << 20
	GiB = int64(1) << 30
	MB  = int64(1e6)
	GB  = int64(1e9)
)

var byteUnits = map[string]int64{
	"": 1, "b": 1, "kb": 1000, "mb": MB, "gb": GB, "tb": 1000 * GB,
	"kib": KiB, "mib": MiB, "gib": GiB, "tib": 1024 * GiB,
}

// ParseBytes reads a size: a number, which may have a decimal point, and a unit (B, kB, MB, GB, TB
// for powers of ten; KiB, MiB, GiB, TiB for powers of two; upper or lower case). No unit means bytes.
func ParseBytes(s string) (int64, error) {
	t := strings.TrimSpace(s)
	end := strings.IndexFunc(t, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(t)
	}
	num, unit := t[:end], strings.ToLower(strings.TrimSpace(t[end:]))
	mult, ok := byteUnits[unit]
	if !ok {
		return 0, fmt.Errorf("size %q: unit %q is none of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB", s, unit)
	}
	if n, err := strconv.ParseInt(num, 10, 64); err == nil {
		if n > math.MaxInt64/mult {
			return 0, fmt.Errorf("size %q is too large", s)
		}
		return n * mult, nil
	}
	f, err := strconv.ParseFloat(num, 64)
	if err != nil {
		return 0, fmt.Errorf("size %q is not a number with a unit, such as 512MiB or 1.05GB", s)
	}
	if f*float64(mult) >= math.MaxInt64 {
		return 0, fmt.Errorf("size %q is too large", s)
	}
	return int64(math.Round(f * float64(mult))), nil
}

// FormatBytes writes a size for people, in powers of ten, as the messages of this package do.
func FormatBytes(n int64) string {
	a := math.Abs(float64(n))
	switch {
	case a >= float64(GB):
		return fmt.Sprintf("%.2f GB", float64(n)/float64(GB))
	case a >= float64(MB):
		return fmt.Sprintf("%.1f MB", float64(n)/float64(MB))
	case a >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%d B", n)
}
