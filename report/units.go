package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// none stands for what is not known.
const none = "-"

func count(n int64) string { return humanize.Comma(n) }

func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return count(n) + " " + thing + "s"
}

// size writes bytes with three significant digits or so, in powers of ten, as the budget's messages
// do.
func size(n int64) string {
	a, f := math.Abs(float64(n)), float64(n)
	switch {
	case a >= 99.95e9:
		return humanize.CommafWithDigits(math.Round(f/1e9), 0) + " GB"
	case a >= 9.995e9:
		return fmt.Sprintf("%.1f GB", f/1e9)
	case a >= 999.5e6:
		return fmt.Sprintf("%.2f GB", f/1e9)
	case a >= 99.95e6:
		return fmt.Sprintf("%.0f MB", f/1e6)
	case a >= 999.5e3:
		return fmt.Sprintf("%.1f MB", f/1e6)
	case a >= 1000:
		return fmt.Sprintf("%.1f kB", f/1000)
	}
	return fmt.Sprintf("%d B", n)
}

// rate writes frames per second.
func rate(fps float64) string {
	if math.Abs(fps) >= 999.95 {
		return humanize.CommafWithDigits(math.Round(fps), 0)
	}
	return fmt.Sprintf("%.1f", fps)
}

// seconds writes a duration given in seconds.
func seconds(s float64) string {
	if s >= 100 {
		return humanize.CommafWithDigits(math.Round(s), 0) + " s"
	}
	return fmt.Sprintf("%.1f s", s)
}

// micros writes a duration given in microseconds with three significant digits or so.
func micros(us float64) string {
	switch {
	case us >= 1e6:
		return fmt.Sprintf("%.2f s", us/1e6)
	case us >= 1e3:
		return fmt.Sprintf("%.2f ms", us/1e3)
	default:
		return fmt.Sprintf("%.1f us", us)
	}
}

// factor writes a factor: 0.0037, 0.06, 2.97, 15.8, 1,234.
func factor(f float64) string {
	switch {
	case f >= 999.5:
		return humanize.CommafWithDigits(math.Round(f), 0)
	case f >= 99.5:
		return fmt.Sprintf("%.0f", f)
	case f >= 9.995:
		return fmt.Sprintf("%.1f", f)
	case f >= 0.095:
		return fmt.Sprintf("%.2f", f)
	case f < 0.0001:
		return "0"
	}
	return strconv.FormatFloat(f, 'f', int(-math.Floor(math.Log10(f)))+1, 64)
}

// finite reports whether f is a number that can be drawn.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// known is the finite number that p points to, false without one.
func known(p *float64) (float64, bool) {
	if p == nil || !finite(*p) {
		return 0, false
	}
	return *p, true
}

// symbols is micros with the sign for micro, where the font surely has it.
func symbols(us float64) string { return strings.Replace(micros(us), " us", " µs", 1) }
