package pipeline

// Every frame's time is taken up to timedFirst, then that of one in timedEach.
// See Note [Timing a sample of the frames].
const timedFirst, timedEach = 16, 64

// sampled reports whether the next frame's time is taken: how many frames it stands for, itself and
// those since the one before whose time was taken, or 0.
func (r *run) sampled() int64 {
	r.untimed++
	r.recorded++
	if r.recorded > timedFirst && r.untimed < timedEach {
		return 0
	}
	stands := r.untimed
	r.untimed = 0
	return stands
}
