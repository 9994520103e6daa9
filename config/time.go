package config

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

var (
	errNoTime   = errors.New("is not a time such as 90, 1.5s, 500ms or 1:02:03.25")
	errLongTime = errors.New("is longer than 292 years")
)

// ParseTime reads a duration in FFmpeg's time syntax, without a sign: seconds, with or without a
// fraction and one of the units s, ms, us; or [HH:]MM:SS with or without a fraction. Like FFmpeg it
// takes six digits of a fraction and passes over the rest.
func ParseTime(s string) (time.Duration, error) {
	whole, rest, unit, err := wholeSeconds(s)
	if err != nil {
		return 0, err
	}
	micros, rest := fraction(rest)
	scale := int64(1_000_000)
	if unit {
		scale, rest = unitOf(rest)
	}
	return sum(whole, scale, micros*scale/1_000_000, rest)
}

// unitOf reads a unit and gives the microseconds in it.
func unitOf(s string) (micros int64, rest string) {
	switch s {
	case "ms":
		return 1000, ""
	case "us":
		return 1, ""
	case "s":
		return 1_000_000, ""
	}
	return 1_000_000, s
}

// wholeSeconds reads what stands before the fraction. A unit may follow where it was one number.
func wholeSeconds(s string) (whole int64, rest string, unit bool, err error) {
	parts := make([]int64, 0, 3)
	rest = s
	for {
		n := digits(rest)
		v, err := strconv.ParseInt(rest[:n], 10, 64)
		if err != nil {
			return 0, "", false, timeError(err)
		}
		parts = append(parts, v)
		rest = rest[n:]
		if len(parts) == 3 || !strings.HasPrefix(rest, ":") {
			break
		}
		rest = rest[1:]
		if n := digits(rest); n < 1 || n > 2 { // minutes and seconds
			return 0, "", false, errNoTime
		}
	}
	if len(parts) == 1 {
		return parts[0], rest, true, nil
	}
	if most := []int{2, 4}[len(parts)-2]; digits(s) > most { // of minutes, of hours
		return 0, "", false, errNoTime
	}
	whole, err = sexagesimal(parts)
	return whole, rest, false, err
}

// sexagesimal adds up hours, minutes and seconds, or minutes and seconds.
func sexagesimal(parts []int64) (int64, error) {
	if len(parts) == 2 {
		parts = []int64{0, parts[0], parts[1]}
	}
	if parts[1] > 59 || parts[2] > 59 {
		return 0, errNoTime
	}
	return parts[0]*3600 + parts[1]*60 + parts[2], nil
}

// digits is how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// fraction reads a point and digits, in millionths.
func fraction(s string) (millionths int64, rest string) {
	if !strings.HasPrefix(s, ".") {
		return 0, s
	}
	s = s[1:]
	n := digits(s)
	for i, unit := 0, int64(100_000); i < min(n, 6); i, unit = i+1, unit/10 {
		millionths += unit * int64(s[i]-'0')
	}
	return millionths, s[n:]
}

func timeError(err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return errLongTime
	}
	return errNoTime
}

// sum adds up whole units, each of so many microseconds, and microseconds.
func sum(whole, unit, micros int64, rest string) (time.Duration, error) {
	const most = math.MaxInt64 / int64(time.Microsecond)
	switch {
	case rest != "":
		return 0, errNoTime
	case whole > (most-micros)/unit:
		return 0, errLongTime
	}
	return time.Duration(whole*unit+micros) * time.Microsecond, nil
}

// never is how a wait without end is written.
const never = "never"

// timeOr is a duration; 0 is written as a word, such as "all".
type timeOr struct {
	t    *time.Duration
	word string
}

func (v timeOr) set(raw []string) error {
	s, err := one(raw)
	if err != nil {
		return err
	}
	if s == v.word {
		*v.t = 0
		return nil
	}
	d, err := ParseTime(s)
	if err == nil && d == 0 && v.word != "0" {
		err = errors.New("is not positive")
	}
	*v.t = d
	return err
}

func (v timeOr) String() string {
	if *v.t == 0 {
		return v.word
	}
	return seconds(*v.t)
}

func (v timeOr) plain() any {
	if *v.t == 0 {
		return nil
	}
	return v.t.Seconds()
}

// seconds writes a duration exactly, without needless zeros.
func seconds(d time.Duration) string {
	micros := d.Microseconds()
	s := strconv.FormatInt(micros/1_000_000, 10)
	if f := micros % 1_000_000; f != 0 {
		s += strings.TrimRight("."+strconv.FormatInt(1_000_000+f, 10)[1:], "0")
	}
	return s
}
