package budget

import "time"

// tally is what happened at a guard's door, to all frames or to those of one stream. The nil tally
// counts nothing. The guard's lock protects it.
type tally struct {
	frames      int64
	delayed     time.Duration
	lowest      Reading
	limited     bool
	lowestAt    int64
	transitions []Transition
	count       int64 // of transitions, also of those that are not kept
}

// mostTransitions bounds a tally's memory: more are counted, not kept.
const mostTransitions = 1 << 14

func (t *tally) passed() {
	if t != nil {
		t.frames++
	}
}

func (t *tally) waited(d time.Duration) {
	if t != nil {
		t.delayed += d
	}
}

// saw notes the worst reading that there was when the frame stood at the door.
func (t *tally) saw(worst Reading, frame int64) {
	if t != nil && (!t.limited || worst.Headroom < t.lowest.Headroom) {
		t.limited, t.lowest, t.lowestAt = true, worst, frame
	}
}

func (t *tally) changed(c Transition) {
	if t == nil {
		return
	}
	t.count++
	if len(t.transitions) < mostTransitions {
		t.transitions = append(t.transitions, c)
	}
}
