package wddm

import "time"

// due is an amount that something happens to at a time.
type due struct {
	at  time.Duration
	amt amounts
}

// schedule is a heap of dues, the earliest first. It keeps its memory.
type schedule []due

func (s *schedule) push(d due) {
	*s = append(*s, d)
	h := *s
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].at <= h[i].at {
			return
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

// pop removes and returns the earliest when it is not after now.
func (s *schedule) pop(now time.Duration) (due, bool) {
	h := *s
	if len(h) == 0 || h[0].at > now {
		return due{}, false
	}
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*s = h
	for i := 0; ; {
		low := 2*i + 1
		if low >= len(h) {
			return first, true
		}
		if low+1 < len(h) && h[low+1].at < h[low].at {
			low++
		}
		if h[i].at <= h[low].at {
			return first, true
		}
		h[i], h[low] = h[low], h[i]
		i = low
	}
}
