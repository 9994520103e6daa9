package budget

import (
	"strconv"
	"testing"
)

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "17": 17, "17B": 17, "1kB": 1000, "1KiB": 1024, "1.05GB": 1050 * MB, "512 MiB": 512 * MiB,
		"2gib": 2 * GiB, " 3MB ": 3 * MB, ".5GiB": GiB / 2, "9223372036854775807": 1<<63 - 1,
	} {
		if got, err := ParseBytes(s); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "GB", "-1", "1.2.3", "1G", "1 potato", "9223372036854775808", "9000000000GiB", "1e400TB", "NaN", "0x10"} {
		if got, err := ParseBytes(s); err == nil {
			t.Errorf("%q is %d", s, got)
		}
	}
}

func FuzzParseBytes(f *testing.F) {
	for _, s := range []string{"1.05GB", "512 MiB", "0", "1e3", "..", "9223372036854775807KiB"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseBytes(s)
		if err != nil {
			return
		}
		if n < 0 {
			t.Fatalf("%q is %d", s, n)
		}
		if again, err := ParseBytes(strconv.FormatInt(n, 10)); err != nil || again != n {
			t.Fatalf("%d is %d, %v", n, again, err)
		}
		_ = FormatBytes(n)
	})
}

func TestMark(t *testing.T) {
	for s, want := range map[string]int64{"64MiB": 64 * MiB, "5%": 50, "0": 0, "100%": 1000, "0%": 0} {
		m, err := ParseMark(s)
		if err != nil || m.Of(1000) != want {
			t.Errorf("%q of 1000 is %d, %v; want %d", s, m.Of(1000), err, want)
		}
	}
	for _, s := range []string{"", "%", "101%", "-1%", "NaN%", "x"} {
		if m, err := ParseMark(s); err == nil {
			t.Errorf("%q is %v", s, m)
		}
	}
	both := Mark{Bytes: 100, Percent: 5}
	if both.Of(1000) != 50 || both.Of(10000) != 100 {
		t.Errorf("of both the smaller counts: %d, %d", both.Of(1000), both.Of(10000))
	}
}

func FuzzParseMark(f *testing.F) {
	for _, s := range []string{"5%", "64MiB", "1e1%", "Inf%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if m, err := ParseMark(s); err == nil && (m.Of(GiB) < 0 || m.Of(0) < 0) {
			t.Fatalf("%q is %v", s, m)
		}
	})
}
