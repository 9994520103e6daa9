package transfer

import "github.com/pinring/pinring/gpu"

// heap is the memory of one kind in an arena. The arena's lock guards it.
type heap struct {
	kind   gpu.HostKind
	chunks []*chunk
	bytes  int64 // of all chunks
	// recarved says that something had to make room for a larger slot once: sizes change here, and
	// what is allocated from now on is for the next change, too.
	recarved bool
}

// cut takes a span of bytes from the smallest free extent that holds it; nil when none does.
func (h *heap) cut(bytes int) *span {
	var in *chunk
	best := -1
	for _, c := range h.chunks {
		for i, e := range c.free {
			if e.bytes >= bytes && (best < 0 || e.bytes < in.free[best].bytes) {
				in, best = c, i
			}
		}
	}
	if best < 0 {
		return nil
	}
	s := in.cut(best, bytes)
	s.heap = h
	return s
}

// slots is how many slots of bytes the free extents hold.
func (h *heap) slots(bytes int) (n int) {
	for _, c := range h.chunks {
		for _, e := range c.free {
			n += e.bytes / bytes
		}
	}
	return n
}

// idleBelow is the bytes of the idle chunks that are smaller than a slot of bytes: they would be
// freed to make room for one.
func (h *heap) idleBelow(bytes int) (n int64) {
	for _, c := range h.chunks {
		if c.idle() && c.bytes < bytes {
			n += int64(c.bytes)
		}
	}
	return n
}

// slack is the part of the heap that a chunk has at least once sizes change: each then makes the
// heap larger by a quarter, so that n changes need a number of allocations that grows as log n does.
const slack = 4

// chunkBytes is how large the next chunk should be for a slot of bytes, and more to follow.
func (h *heap) chunkBytes(bytes, batch int) int {
	if !h.recarved {
		return bytes
	}
	return max(bytes*max(batch, 1), pageRound(int(h.bytes/slack)))
}
