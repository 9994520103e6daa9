package decode

import (
	"sync/atomic"
	"time"
)

// Stats are counters of a run. Every picture that the file promises and the decoder cannot give is
// in one of the Discarded counters.
type Stats struct {
	Packets   int64 // of the decoded stream, read so far
	Decoded   int64 // frames handed out
	Concealed int64 // of these, frames that the decoder repaired or marked as damaged
	Replaced  int64 // of these, frames that show the picture before in place of a damaged one
	Filled    int64 // of these, frames that show the picture before in place of one that was lost
	Dropped   int64 // damaged frames that were left out; not among Decoded
	Trimmed   int64 // frames before the start, decoded to get there; not among Decoded

	DiscardedDamaged int64 // packets that the decoder could make nothing of
	DiscardedSkipped int64 // packets that an edit list leaves out: not a fault
	// Damage is FFmpeg's word for the last damage, empty when there was none.
	Damage string
	// TooLarge says that pictures were lost because they are larger than MaxPixels.
	TooLarge bool

	InSlots     int64 // frames that lie in a lent slot
	Elsewhere   int64 // frames that do not
	Fallbacks   int64 // buffers that the decoder wanted and found no slot for
	SlotsAsked  int   // slots asked for in all, over all generations
	Slots       int   // slots lent now
	SlotsBusy   int   // of these, in use by the decoder or by frames
	SlotsMax    int   // the most ever in use
	Generations int   // times that slots were asked for

	Outstanding int64         // frames handed out and not yet released
	Busy        time.Duration // time spent in Next
	// ReadError is why reading ended before the end of the file, empty when it did not.
	ReadError string
}

type counters struct {
	packets, decoded, concealed atomic.Int64
	replaced, filled, dropped   atomic.Int64
	trimmed, damaged, skipped   atomic.Int64
	inSlots, elsewhere          atomic.Int64
	outstanding, busy           atomic.Int64
	asked, generations          atomic.Int64
	damage, readError           atomic.Pointer[string]
	tooLarge                    atomic.Bool
}

// note counts a packet that the decoder could make nothing of.
func (c *counters) note(damage error) {
	c.damaged.Add(1)
	text := damage.Error()
	c.damage.Store(&text)
}

// Stats reads the counters. Any goroutine, at any time.
func (s *Source) Stats() Stats {
	c := &s.count
	out := Stats{
		Packets: c.packets.Load(), Decoded: c.decoded.Load(), Concealed: c.concealed.Load(),
		Replaced: c.replaced.Load(), Filled: c.filled.Load(), Dropped: c.dropped.Load(), Trimmed: c.trimmed.Load(),
		DiscardedDamaged: c.damaged.Load(), DiscardedSkipped: c.skipped.Load(), TooLarge: c.tooLarge.Load(),
		InSlots: c.inSlots.Load(), Elsewhere: c.elsewhere.Load(),
		SlotsAsked: int(c.asked.Load()), Generations: int(c.generations.Load()),
		Outstanding: c.outstanding.Load(), Busy: time.Duration(c.busy.Load()),
	}
	if d := c.damage.Load(); d != nil {
		out.Damage = *d
	}
	if e := c.readError.Load(); e != nil {
		out.ReadError = *e
	}
	if s.slots != nil {
		p := s.slots.stats()
		out.Fallbacks, out.Slots, out.SlotsBusy, out.SlotsMax = p.Fallbacks, p.Slots, p.Busy, p.BusyMax
	}
	return out
}
