package avtest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pinring/pinring/config"
	"github.com/pinring/pinring/internal/av"
)

// FuzzTime holds our reading of times to libavutil's. We refuse signs, spaces and what does not fit, and
// agree about all else that we take.
func FuzzTime(f *testing.F) {
	for _, s := range []string{"90", "1.5s", "500ms", "250us", "1:02:03.25", "59:59", "1:60", "0:0:0", "1:2:3:4", "2.", ".5", "1.5.5", "3sms",
		"99999999999", "100:00:00.999999999", "00000000000000000001", "1:2s", "5u", "5m", "7 ", "0x10", "1:1:1:1ms", "2147483647:00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsRune(s, 0) {
			return // the end of the text to C
		}
		ours, err := config.ParseTime(s)
		theirs, other := av.ParseTime(s)
		switch {
		case err == nil && other != nil:
			t.Errorf("%q is %v to us and no time to FFmpeg", s, ours)
		case err == nil && ours != theirs:
			t.Errorf("%q is %v to us and %v to FFmpeg", s, ours, theirs)
		case err != nil && other == nil && plain(s) && theirs > 0 && theirs < 1<<62:
			t.Errorf("%q is %v to FFmpeg and no time to us: %v", s, theirs.Round(time.Microsecond), err)
		}
	})
}

// plain says whether a text consists of what our times do. A unit behind minutes and seconds, which
// FFmpeg takes (1:02ms are 62 ms), is not among that, nor in its manual.
func plain(s string) bool {
	if strings.ContainsRune(s, ':') && strings.ContainsAny(s, "smu") {
		return false
	}
	return s != "" && s[0] >= '0' && s[0] <= '9' && len(s) < 10 && strings.Trim(s, "0123456789:.sum") == ""
}
