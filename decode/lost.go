package decode

import (
	"math"
	"slices"

	"github.com/pinring/pinring/frame"
)

// lost finds out when the pictures were to be shown that the decoder could not make. It knows the
// time stamps that packets promised; when the decoder reported damage, and a picture comes that is
// shown later than one that was promised, then that one will not come any more.
type lost struct {
	owed  int     // packets that nothing came of, not accounted for yet
	until int64   // the latest time that a packet had promised when one of them was reported
	sent  []int64 // promised and not shown yet, rising
}

// mostExpected bounds what is remembered of promises that nothing comes of.
const mostExpected = 1024

// expect takes note of a picture that a packet promises.
func (l *lost) expect(pts int64) {
	if pts == frame.NoPTS {
		return
	}
	if len(l.sent) == mostExpected {
		l.sent = append(l.sent[:0], l.sent[1:]...)
	}
	i, _ := slices.BinarySearch(l.sent, pts)
	l.sent = slices.Insert(l.sent, i, pts)
}

// owe takes note of damage, when latest was the last packet sent.
func (l *lost) owe(latest int64) {
	if l.owed == 0 {
		l.until = latest
	}
	l.owed++
	l.until = max(l.until, latest) // no time stamp is the smallest of all
}

// before gives the times of the pictures that were lost before the one at pts comes; the slice is
// valid until the next call. Where packets have no time stamps it is a guess from the gap behind the
// picture before, at last, and step, how long one is shown.
func (l *lost) before(pts, last, step int64) []int64 {
	if pts == frame.NoPTS {
		return nil
	}
	n, here := slices.BinarySearch(l.sent, pts)
	gap := l.sent[:n]
	if len(l.sent) == 0 {
		gap = evenly(last, pts, step, l.owed)
	}
	out := slices.Clone(gap[len(gap)-min(l.owed, len(gap)):])
	l.owed -= len(out)
	if pts >= l.until && pts != math.MaxInt64 {
		l.owed = 0 // what is still owed was no picture of its own, or it came in spite of the damage
	}
	if here {
		n++
	}
	l.sent = append(l.sent[:0], l.sent[min(n, len(l.sent)):]...)
	return out
}

// evenly gives at most n times between last and pts that are step apart.
func evenly(last, pts, step int64, n int) (out []int64) {
	if last == frame.NoPTS || step <= 0 || pts == math.MaxInt64 {
		return nil
	}
	for at := last + step; len(out) < n && at+step/2 < pts; at += step {
		out = append(out, at)
	}
	return out
}

// suspects are the time stamps of packets that the demuxer found damaged.
type suspects []int64

func (s *suspects) add(pts int64) {
	if pts != frame.NoPTS && len(*s) < mostExpected {
		*s = append(*s, pts)
	}
}

// take reports whether the picture at pts comes of a damaged packet, and forgets that.
func (s *suspects) take(pts int64) bool {
	i := slices.Index(*s, pts)
	if i < 0 {
		return false
	}
	*s = slices.Delete(*s, i, i+1)
	return true
}
