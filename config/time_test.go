package config

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseTime(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0": 0, "90": 90 * time.Second, "1.5": 1500 * time.Millisecond, "1.5s": 1500 * time.Millisecond, "500ms": 500 * time.Millisecond,
		"250us": 250 * time.Microsecond, "1.5ms": 1500 * time.Microsecond, "1.9us": time.Microsecond, "1:02": 62 * time.Second,
		"1:02:03.25": 3723250 * time.Millisecond, "0:00.61": 610 * time.Millisecond, "100:00:00": 100 * time.Hour, "2.": 2 * time.Second,
		"1.1234567890": 1123456 * time.Microsecond, "00:5": 5 * time.Second,
	} {
		if got, err := ParseTime(s); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-1", "+1", " 1", "1 ", ".5", "1:75", "1:2:60", "1:2:3:4", "1:", ":1", "1:002", "1m", "1h", "1:02s", "1,5", "1e3",
		"9223372036854775807", "99999999999999999999", "9999999999:00:00", "x", "１"} {
		if got, err := ParseTime(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}

// What is printed means the same when it is read.
func TestTimeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(1, 1<<50).Draw(t, "us")) * time.Microsecond
		s := timeOr{&d, "all"}.String()
		if got, err := ParseTime(s); err != nil || got != d {
			t.Errorf("%v is written %q and read %v, %v", d, s, got, err)
		}
	})
}
