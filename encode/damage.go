package encode

import "fmt"

// lost is how many packets of the input the track could make nothing of. For sound that is encoded
// anew it is known when that has finished.
func (t *track) lost() int64 {
	if t.sound != nil {
		return t.sound.s.Damaged()
	}
	return t.damaged.Load()
}

// tellDamage counts what streams that were converted have lost, and says it: the film goes on without.
func (c *coded) tellDamage() {
	for _, t := range c.order {
		n := t.lost()
		if n == 0 {
			continue
		}
		c.s.damaged.Add(n)
		what, instead := packetsOf(n), "silence instead"
		if t.sound == nil {
			instead = "left out"
			if t.shown.Load() == 0 {
				instead = "the stream is empty"
			}
		}
		c.note(fmt.Sprintf("%s stream %d (%s) is damaged: %s could not be decoded: %s", t.in.Kind(), t.in.Index(), t.in.Codec(), what, instead))
	}
}

func packetsOf(n int64) string {
	if n == 1 {
		return "1 packet"
	}
	return fmt.Sprintf("%d packets", n)
}
