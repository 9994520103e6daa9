package transfer

import "github.com/pinring/pinring/gpu"

// Stats describes the slots of one direction.
type Stats struct {
	Slots     int   // now
	SlotBytes int   // of the largest class
	PeakBytes int64 // highest sum of all slots' bytes
	Locked    bool  // the slots are page-locked (on devices that lock pages at all)
	Allocs    int64
	Frees     int64
	AllocTime gpu.Times
	FreeTime  gpu.Times
}

// Stats of both directions. Upload counts the lent slots and the copy ring.
func (s *Staging) Stats() (up, down Stats) {
	up, down = s.up.stats(), s.down.stats()
	return up, down
}

func (p *pool) stats() Stats {
	m := p.dev.Snapshot().Host[p.kind]
	return Stats{
		Slots: int(p.live.Load()), SlotBytes: int(p.largest.Load()), PeakBytes: p.peak.Load(), Locked: p.kind.Locked(),
		Allocs: m.Allocs, Frees: m.Frees, AllocTime: m.AllocTime, FreeTime: m.FreeTime,
	}
}

// Arena is where the slots come from.
func (s *Staging) Arena() *Arena { return s.arena }

// Bytes is how much memory the slots of each direction take now. It is cheap enough to be asked
// for every frame.
func (s *Staging) Bytes() (up, down int64) { return s.up.bytes.Load(), s.down.bytes.Load() }
